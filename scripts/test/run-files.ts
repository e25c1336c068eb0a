import { run } from 'node:test'
import type { TestReport } from './report.ts'
import { writeWorker } from './worker.ts'

/** Stops a test that hangs. The longest, thousands of kills, takes minutes on a busy machine. */
const testLimitMs = 20 * 60_000

/** All files of one process together. */
const processLimitMs = 40 * 60_000

/** Room for short-lived objects, in MiB. With less, the collector runs all the time. */
const youngRoom = 64

export interface TestFileRuns {
  report: TestReport
  /** In the order in which they are started. */
  files: string[]
  /** For the Node of every process: `--test-name-pattern=…`, `--test-only`. */
  flags: string[]
  env: Record<string, string>
  /** For files of this run alone. */
  folder: string
  signal: AbortSignal
  /** Number of processes at a time. */
  processes: number
  /** Whether each file has a process of its own, instead of processes that take files until none is left. */
  processPerFile?: boolean
}

/** Runs the files. A file that does not come to its end counts as a failure. */
export async function runFiles(runs: TestFileRuns): Promise<void> {
  const { report, files, flags, env, folder, signal, processes } = runs
  // Flags may leave out every test of a file, and a worker would wait for the end of such a file for ever.
  const processPerFile = runs.processPerFile || flags.length > 0
  const workers = Array.from({ length: Math.min(processes, files.length) }, (_, index) => `worker-${index}`)
  const programs = processPerFile ? files : workers.map((name) => writeWorker(name, files, folder))
  const events = run({
    files: programs,
    concurrency: processes,
    timeout: processLimitMs,
    execArgv: [`--test-timeout=${testLimitMs}`, `--max-semi-space-size=${youngRoom}`, ...flags],
    env: { ...process.env, ...env },
    signal,
  })
  events.on('test:enqueue', (test) => report.begin(test))
  events.on('test:complete', (test) => report.complete(test))
  for (const output of ['test:stdout', 'test:stderr'] as const)
    events.on(output, ({ message }) => process.stdout.write(message))
  // An error that comes after its test has ended is reported in no other way.
  events.on('test:diagnostic', ({ message }) => {
    if (message.startsWith('Error: ')) process.stdout.write(`${message}\n`)
  })
  for await (const _event of events);
  report.end()
}
