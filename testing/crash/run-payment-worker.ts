import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { TestContext } from 'node:test'
import { environment } from '../../server/config.ts'
import { onInterrupt } from '../harness/on-interrupt.ts'
import { root } from '../harness/process.ts'
import type { Till } from '../till/till.ts'
import type { WorkerInput, WorkerJob, WorkerReport } from './worker-messages.ts'

export interface KilledWorker {
  /** SIGKILL, or null if the worker finished its work. */
  signal: string | null
  code: number | null
  traces: string[][]
  /** Lines of both output streams. */
  output: string[]
}

/**
 * Runs a payment worker in its own process until it ends. `whenWaiting` is called when all remaining jobs
 * wait for the bank or for the clock.
 */
export async function runPaymentWorker(
  t: TestContext,
  till: Till,
  jobs: readonly WorkerJob[],
  whenWaiting?: (waiting: number) => Promise<{ advanceMs: number }>,
): Promise<KilledWorker> {
  const { services, database, merchant, clock } = till
  const whole: WorkerInput = {
    databaseUrl: database.url,
    config: services.config,
    now: clock.now().toISOString(),
    merchantId: merchant.id,
    jobs,
  }
  const words = ['testing/crash/payment-worker.ts', JSON.stringify(whole)]
  const child = spawn(process.execPath, words, {
    cwd: root,
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const kill = () => child.kill('SIGKILL')
  t.after(kill)
  onInterrupt(kill)
  const output: string[] = []
  let traces: string[][] = []
  const onLine = async (line: string) => {
    output.push(line)
    if (!line.startsWith('{"report"')) return
    const report: WorkerReport = JSON.parse(line)
    if (report.report === 'end') traces = report.traces
    else if (whenWaiting) child.send(await whenWaiting(report.waiting))
  }
  for (const stream of [child.stdout, child.stderr]) {
    if (stream) createInterface({ input: stream }).on('line', (line) => void onLine(line))
  }
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  return { signal, code, traces, output }
}
