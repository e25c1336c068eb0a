import { run } from 'node:test'
import type { TestReport } from './report.ts'
import { writeWorker } from './worker.ts'

/**
 * Limit of one test. The longest test kills processes thousands of times and takes minutes on a busy machine.
 */
const testLimitMs = 20 * 60_000

/** Limit of all files of one process together. */
const processLimitMs = 40 * 60_000

/** Heap for short-lived objects, in MiB. With less, the garbage collector runs all the time. */
const youngRoom = 64

export interface TestFileRuns {
  report: TestReport
  /** Files in the order in which they start. */
  files: string[]
  /** Options for the Node of every process: `--test-name-pattern=…`, `--test-only`. */
  flags: string[]
  env: Record<string, string>
  /** Folder for temporary files of this run. */
  folder: string
  signal: AbortSignal
  /** Number of processes at the same time. */
  processes: number
  /** True to run each file in its own process. Otherwise workers take files from one list. */
  processPerFile?: boolean
}

/** Runs the files. A file that does not finish counts as a failure. */
export async function runFiles(runs: TestFileRuns): Promise<void> {
  const { report, files, flags, env, folder, signal, processes } = runs
  // Options can exclude every test of a file, and a worker would wait forever for the end of such a file.
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
  // An error thrown after its test has ended is reported only as a diagnostic.
  events.on('test:diagnostic', ({ message }) => {
    if (message.startsWith('Error: ')) process.stdout.write(`${message}\n`)
  })
  for await (const _event of events);
  report.end()
}
