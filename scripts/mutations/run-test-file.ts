import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** Time between SIGTERM and SIGKILL. */
const endingMs = 5_000

/** Characters to escape in a pattern. */
const special = /[\\^$.*+?()[\]{}|/]/g

export interface TestRun {
  file: string
  /** Part of the names of the tests to run; undefined runs all tests. */
  test: string | undefined
  cwd: string
  env: NodeJS.ProcessEnv
  limitMs: number
  signal: AbortSignal
}

export type TestResult =
  | { outcome: 'passed' }
  /** First test that failed. The run stopped there. */
  | { outcome: 'failed'; test: string }
  | { outcome: 'too slow' }
  /** No test failed, but the file did, or had no test to run. */
  | { outcome: 'broken'; output: string }

/**
 * Runs one test file in a separate process until a test fails. Guarantee: the process has ended when this
 * returns.
 */
export async function runTestFile({ file, test, cwd, env, limitMs, signal }: TestRun): Promise<TestResult> {
  const names = test === undefined ? [] : [`--test-name-pattern=${test.replaceAll(special, '\\$&')}`]
  const words = ['--test-reporter=tap', ...names, file]
  const child = spawn(process.execPath, words, {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const closed = once(child, 'close').then(([code]) => code as number | null)
  const lines: string[] = []
  let failed: string | undefined
  let isTooSlow = false
  const end = () => void endGroup(child, closed)
  const limit = setTimeout(() => {
    isTooSlow = true
    end()
  }, limitMs)
  signal.addEventListener('abort', end)
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line)
      if (failed !== undefined) return
      failed = failedTest(line)
      if (failed !== undefined) end()
    })
  }
  const code = await closed
  clearTimeout(limit)
  signal.removeEventListener('abort', end)
  if (failed !== undefined && !failed.endsWith(file)) return { outcome: 'failed', test: failed }
  if (isTooSlow) return { outcome: 'too slow' }
  const hasPassed = code === 0 && lines.some((line) => /^# pass [1-9]/.test(line))
  return hasPassed ? { outcome: 'passed' } : { outcome: 'broken', output: lines.slice(-30).join('\n') }
}

/** Reads a line of TAP. The tests of a suite come before the suite itself. */
function failedTest(line: string): string | undefined {
  return /^\s*not ok \d+ - (.*)$/.exec(line)?.[1]?.replaceAll(/\\(.)/g, '$1')
}

/** Ends the test and the processes that it started. A process that hangs is killed. */
async function endGroup(child: ChildProcess, closed: Promise<unknown>): Promise<void> {
  signalGroup(child, 'SIGTERM')
  const timeout = setTimeout(() => signalGroup(child, 'SIGKILL'), endingMs)
  await closed
  clearTimeout(timeout)
}

function signalGroup({ pid, exitCode, signalCode }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return
  try {
    process.kill(-pid, signal)
  } catch {
    // The group has already ended.
  }
}
