import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { raw } from '../../kit/runtime/sql.ts'
import { findCards } from '../harness/card-search.ts'
import { inconsistencies } from '../invariants/consistency.ts'
import type { Till } from '../till/till.ts'
import type { KilledWorker } from './run-payment-worker.ts'
import { runPaymentWorker } from './run-payment-worker.ts'
import type { WorkerJob, WorkerTask } from './worker-messages.ts'

const hourMs = 60 * 60 * 1000

/** Number of processes to run at the same time. */
export const parallelWorkers = 2

export const integersFromTo = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index)

export function boundariesAround(...calls: string[]): string[] {
  return calls.flatMap((call) => [`before ${call}`, `after ${call}`])
}

/** One job per boundary: the first id stops at the first boundary, and so on. */
export function jobPerBoundary(work: WorkerTask, ids: number[]): WorkerJob[] {
  return ids.map((id, diesAt) => ({ work, id, diesAt }))
}

/**
 * Runs each job to its boundary, then kills the process. All jobs of a group take the same path, and the
 * group must have more jobs than the path has boundaries.
 */
export async function killAtEveryBoundary(
  t: TestContext,
  till: Till,
  groups: WorkerJob[][],
  whenWaiting?: Parameters<typeof runPaymentWorker>[3],
): Promise<KilledWorker> {
  const killed = await runPaymentWorker(t, till, groups.flat(), whenWaiting)
  let begin = 0
  for (const { length } of groups) {
    const traces = killed.traces.slice(begin, begin + length)
    const whole = traces.at(-1) ?? []
    const isWhole = whole.length > 0 && whole.length < length
    assert.ok(
      isWhole,
      `${whole.length} boundaries of ${length}\n${killed.output
        .filter((line) => !line.includes('"level"'))
        .slice(-25)
        .join('\n')
        .slice(0, 2_000)}`,
    )
    assertKilled({ ...killed, traces }, whole, integersFromTo(0, length - 1))
    begin += length
  }
  return killed
}

/** Asserts that SIGKILL ended the worker and each job stopped at its boundary of the whole path. */
export function assertKilled(
  { signal, traces, output }: KilledWorker,
  whole: string[],
  boundaries: number[],
): void {
  assert.equal(signal, 'SIGKILL', output.join('\n'))
  assert.deepEqual(
    traces,
    boundaries.map((boundary) => whole.slice(0, boundary + 1)),
  )
}

/**
 * Number of jobs killed at their boundary. A job with a trace as long as the previous one finished before its
 * boundary.
 */
export function countKills(killed: readonly KilledWorker[]): number {
  const isKilled = (trace: string[], before: string[] = []) =>
    trace.length === 1 || trace.length > before.length
  return killed.flatMap(({ traces }) => traces.filter((trace, index) => isKilled(trace, traces[index - 1])))
    .length
}

/** Advances the clocks while a slow bank answers. Past the bank timeout only the worker's clock advances. */
export function slowBankHandler(
  till: Till,
  answer: string | { afterMs: number } | undefined,
): Parameters<typeof runPaymentWorker>[3] {
  if (typeof answer !== 'object') return undefined
  let isFirst = true
  return async (waiting) => {
    if (!isFirst) return { advanceMs: 0 }
    isFirst = false
    await till.clock.asleep(waiting)
    const timeoutMs = till.services.config.bankTimeoutSeconds * 1000
    if (answer.afterMs < timeoutMs) till.clock.advance(answer.afterMs)
    return { advanceMs: Math.min(answer.afterMs, timeoutMs) }
  }
}

/** Splits things into shares of limited size, and works on `parallelWorkers` shares at the same time. */
export async function runInShares<Thing>(
  things: readonly Thing[],
  work: (share: Thing[]) => Promise<KilledWorker>,
  most = Number.POSITIVE_INFINITY,
): Promise<KilledWorker[]> {
  const count = Math.max(parallelWorkers, Math.ceil(things.length / most))
  const shares = Array.from({ length: count }, (_, at) =>
    things.filter((_thing, index) => index % count === at),
  )
  const killed: KilledWorker[] = []
  const left = shares.filter(({ length }) => length > 0)
  const lane = async () => {
    for (let share = left.shift(); share; share = left.shift()) killed.push(await work(share))
  }
  await Promise.all(Array.from({ length: parallelWorkers }, lane))
  return killed
}

export function assertBoundariesCovered(
  killed: readonly KilledWorker[],
  boundaries: readonly string[],
): void {
  const reached = new Set(killed.flatMap(({ traces }) => traces.map((trace) => trace.at(-1))))
  assert.deepEqual(
    boundaries.filter((boundary) => !reached.has(boundary)),
    [],
  )
}

/** Asserts consistency after another instance has run for 30 hours. */
export async function assertConsistent(till: Till, killed: readonly KilledWorker[]): Promise<void> {
  // Without fresh statistics PostgreSQL reads thousands of payments with bad plans.
  await till.services.sql.run(raw('analyze'))
  await till.pass(30 * hourMs)
  assert.deepEqual(await inconsistencies(till), [])
  const output = killed.flatMap((each) => each.output)
  assert.deepEqual(await findCards(till.services.sql, output), [])
}
