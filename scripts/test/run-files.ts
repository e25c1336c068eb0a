import { availableParallelism } from 'node:os'
import { pipeline } from 'node:stream/promises'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'

/** Far more than any test takes, on a machine that is busy with other things too. */
const patienceMs = 240_000

/** Tests wait for their databases and processes now and then; one more than there are processors uses that time. */
const atOnce = Math.min(availableParallelism() + 1, 4)

export interface Runs {
  files: string[]
  /** For the Node of every test file: `--test-name-pattern=…`, `--test-only`. */
  flags: string[]
  env: Record<string, string>
  signal: AbortSignal
}

/** Runs each file in a process of its own, in the order given. Answers whether all is well, and tells the slowest. */
export async function runFiles({ files, flags, env, signal }: Runs): Promise<boolean> {
  let isFine = true
  const tookMs = new Map<string, number>()
  const events = run({
    files,
    concurrency: atOnce,
    timeout: patienceMs,
    execArgv: [`--test-timeout=${patienceMs}`, ...flags],
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
  return isFine && !signal.aborted
}

function slowestOf(tookMs: ReadonlyMap<string, number>): string {
  const slowest = [...tookMs].sort(([, one], [, other]) => other - one).slice(0, 10)
  const lines = slowest.map(([file, ms]) => `${(ms / 1000).toFixed(1).padStart(6)} s  ${file}\n`)
  return `\nThe slowest files:\n${lines.join('')}`
}
