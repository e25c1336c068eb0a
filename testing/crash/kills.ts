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

/** As many processes as are worth having at once. */
export const parallelWorkers = 2

export const integersFromTo = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index)

export function boundariesAround(...calls: string[]): string[] {
  return calls.flatMap((call) => [`before ${call}`, `after ${call}`])
}

/** The first comes to the first boundary, and so on. */
export function jobPerBoundary(work: WorkerTask, ids: number[]): WorkerJob[] {
  return ids.map((id, diesAt) => ({ work, id, diesAt }))
}

/** Each of each group comes to its boundary, and then their process is killed. In a group all go the same way. */
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

/** By SIGKILL, each at its boundary of the whole way. */
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

/** Whose way is as long as that of the one before lived on: it ends before their boundary. */
export function countKills(killed: readonly KilledWorker[]): number {
  const isKilled = (trace: string[], before: string[] = []) =>
    trace.length === 1 || trace.length > before.length
  return killed.flatMap(({ traces }) => traces.filter((trace, index) => isKilled(trace, traces[index - 1])))
    .length
}

/** Lets a bank that takes its time have it; longer than anybody waits only the worker's time passes. */
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

/** In as many processes as are worth having at once, each with its share, which is not too large for one. */
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

/** Asserts consistency after more than a day in which another instance goes on. */
export async function assertConsistent(till: Till, killed: readonly KilledWorker[]): Promise<void> {
  // Nobody else does it here, and thousands of payments are read by wrong plans without.
  await till.services.sql.run(raw('analyze'))
  await till.pass(30 * hourMs)
  assert.deepEqual(await inconsistencies(till), [])
  const output = killed.flatMap((each) => each.output)
  assert.deepEqual(await findCards(till.services.sql, output), [])
}
