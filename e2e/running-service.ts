import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseEnv, promisify } from 'node:util'
import { freePorts, root } from '../testing/harness/process.ts'

/** Running service, passed to the test files in their environment. */
export interface RunningService {
  env: Record<string, string>
  /** Last warnings and errors of its log. They explain why unrelated tests failed together. */
  complaints(): string[]
  end(): Promise<void>
}

/** Starts the service on free ports, with all its files in this folder, and waits until it is ready. */
export async function startRunningService(folder: string): Promise<RunningService> {
  const home = join(folder, 'home')
  mkdirSync(home, { mode: 0o755 })
  const ports = await freePorts()
  const child = spawn(join(root, 'scripts', 'node'), ['server/main.ts', 'start'], {
    cwd: root,
    env: { ...process.env, ...ports, DRAIN_SECONDS: '0', VEZNE_HOME: home, LOG_FORMAT: 'json' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'close')
  const lines: string[] = []
  const ready = Promise.withResolvers<void>()
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line)
      if (line.includes('is ready.')) ready.resolve()
    })
  }
  void ended.then(() => ready.reject(new Error(`the service ended:\n${lines.slice(-20).join('\n')}`)))
  await ready.promise
  const demo = parseEnv(readFileSync(join(home, 'demo.env'), 'utf8'))
  const SANDBOX_URL = `http://127.0.0.1:${ports.SANDBOX_PORT}`
  const DEMO_URL = `http://localhost:${ports.DEMO_PORT}`
  return {
    env: { E2E: JSON.stringify({ ...demo, SANDBOX_URL, DEMO_URL, HOME_FOLDER: home }) },
    complaints: () => lines.filter((line) => /"level":"(warn|error)"/.test(line)).slice(-40),
    end: async () => {
      await checkLedger(home)
      await checkReports(ports.METRICS_PORT)
      child.kill('SIGINT')
      await ended
      assertQuiet(lines)
    },
  }
}

/** Runs the integrity checks and fails if they find a violation. */
async function checkLedger(home: string): Promise<void> {
  const env = { ...process.env, VEZNE_HOME: home }
  await promisify(execFile)(process.execPath, ['server/main.ts', 'ledger', 'check'], { cwd: root, env })
}

/** Fails if a browser reported a policy violation to the service. */
async function checkReports(port: string): Promise<void> {
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const reports = metrics.split('\n').filter((line) => /^vezne_policy_reports_total\b.* [1-9]/.test(line))
  if (reports.length > 0) throw new Error(`policies were violated:\n${reports.join('\n')}`)
}

/** Fails if the service logged an internal error or a possible card number. */
function assertQuiet(output: string[]): void {
  const lines = output.filter((line) => line.startsWith('{'))
  const bugs = lines.filter((line) => line.includes('a request failed with an internal error'))
  if (bugs.length > 0) throw new Error(`the service met bugs of its own:\n${bugs.join('\n')}`)
  const cards = lines.filter((line) => /(?<!\d)[3-9]\d{14,15}(?!\d)/.test(line.replace(/"\w*id":\d+/g, '')))
  if (cards.length > 0) throw new Error('the log holds what may be a card number')
}
