import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { environment } from '../../server/config.ts'
import { onInterrupt } from '../harness/on-interrupt.ts'
import { root } from '../harness/process.ts'
import type { Till } from '../till/till.ts'
import type { PageWorkerCommand, PageWorkerReport } from './page-worker-messages.ts'

export interface PageWorker {
  address: string
  /** Resolves when this payment has reached its boundary. */
  stopped(id: number): Promise<void>
  advance(ms: number): void
  /** Processes due authentications. */
  processAuthentications(attempts: Extract<PageWorkerCommand, { command: 'process' }>['attempts']): void
  /** Resolves when the worker is dead, with its signal and the boundaries that each payment reached. */
  die(): Promise<{ signal: string | null; boundaries: string[][] }>
  /** Lines of both output streams so far. */
  output(): string[]
}

/** Starts a page worker in its own process, with these payments and their boundaries. */
export async function startPageWorker(
  t: TestContext,
  { services, database, clock }: Till,
  stops: ReadonlyMap<number, string | null>,
): Promise<PageWorker> {
  // Output to a file is complete, even if the writer is killed.
  const folder = mkdtempSync(join(tmpdir(), 'vezne-page-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'output')
  const outputFile = openSync(file, 'a')
  const child = spawn(process.execPath, ['testing/crash/page-worker.ts'], {
    cwd: root,
    env: environment(),
    stdio: ['ignore', outputFile, outputFile, 'ipc'],
  })
  closeSync(outputFile)
  const kill = () => child.kill('SIGKILL')
  t.after(kill)
  onInterrupt(kill)
  const output = () => readFileSync(file, 'utf8').split('\n')
  const serving = Promise.withResolvers<string>()
  const stopped = new Map([...stops.keys()].map((id) => [id, Promise.withResolvers<void>()]))
  let boundaries: string[][] = []
  child.on('message', (report: PageWorkerReport) => {
    if (report.report === 'serving') serving.resolve(report.address)
    else if (report.report === 'stopped') stopped.get(Number(report.id))?.resolve()
    else boundaries = report.boundaries
  })
  const closed = once(child, 'close') as Promise<[number | null, string | null]>
  void closed.then(() => serving.reject(new Error(`it ended by itself:\n${output().join('\n')}`)))
  const sendCommand = (command: PageWorkerCommand) => child.send(command)
  sendCommand({
    command: 'serve',
    input: {
      databaseUrl: database.url,
      config: services.config,
      now: clock.now().toISOString(),
      stops: Object.fromEntries(stops),
    },
  })
  return {
    address: await serving.promise,
    stopped: (id) => stopped.get(id)?.promise ?? Promise.reject(new Error('no such payment')),
    advance: (ms) => sendCommand({ command: 'advance', ms }),
    processAuthentications: (attempts) => sendCommand({ command: 'process', attempts }),
    die: async () => {
      sendCommand({ command: 'die' })
      const [, signal] = await closed
      return { signal, boundaries }
    },
    output,
  }
}
