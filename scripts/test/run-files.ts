import { availableParallelism } from 'node:os'
import { pipeline } from 'node:stream/promises'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { programOf } from './shares.ts'

/** Far more than any test takes, on a machine that is busy with other things too. */
const patienceMs = 240_000

/** For all files of a process together. */
const processPatienceMs = 3 * patienceMs

/** Room for what lives shortly, in MiB: the files make so much of it that a small room is cleared up all the time. */
const youngRoom = 64

/** Tests wait for their databases and processes now and then; one more than there are processors uses that time. */
const atOnce = Math.min(availableParallelism() + 1, 4)

export interface Runs {
  /** Which files share a process, in the order in which they are to be started. */
  shares: string[][]
  /** For the Node of every process: `--test-name-pattern=…`, `--test-only`. */
  flags: string[]
  env: Record<string, string>
  /** For what is written for this run alone. */
  folder: string
  signal: AbortSignal
}

/** Runs the files. Answers whether all is well, which it is only if each of them came to its end, and tells the slowest. */
export async function runFiles({ shares, flags, env, folder, signal }: Runs): Promise<boolean> {
  const files = shares.flat()
  let isFine = true
  const tookMs = new Map<string, number>()
  const events = run({
    files: shares.map((share) => programOf(share, folder)),
    concurrency: atOnce,
    timeout: processPatienceMs,
    execArgv: [`--test-timeout=${patienceMs}`, `--max-semi-space-size=${youngRoom}`, ...flags],
    env: { ...process.env, ...env },
    signal,
  })
  events.on('test:fail', ({ todo }) => {
    if (todo === undefined || todo === false) isFine = false
  })
  events.on('test:complete', ({ name, details }) => {
    if (files.includes(name)) tookMs.set(name, details.duration_ms)
  })
  await pipeline(events, new spec(), process.stdout, { end: false })
  if (files.length > 10) process.stdout.write(slowestOf(tookMs))
  const missing = files.filter((file) => !tookMs.has(file))
  if (missing.length > 0) process.stdout.write(`\nNot run to their end: ${missing.join(', ')}\n`)
  return isFine && missing.length === 0 && !signal.aborted
}

function slowestOf(tookMs: ReadonlyMap<string, number>): string {
  const slowest = [...tookMs].sort(([, one], [, other]) => other - one).slice(0, 10)
  const lines = slowest.map(([file, ms]) => `${(ms / 1000).toFixed(1).padStart(6)} s  ${file}\n`)
  return `\nThe slowest files:\n${lines.join('')}`
}
