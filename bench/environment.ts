import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { systemClock } from '../kit/runtime/clock.ts'
import type { Log } from '../kit/runtime/log.ts'
import { openLog } from '../kit/runtime/log.ts'
import { systemRandom } from '../kit/security/random.ts'
import { readConfig } from '../server/config.ts'
import { startEmbeddedPostgres } from '../server/database/embedded/index.ts'
import type { Services } from '../server/services.ts'
import { openServices } from '../server/services.ts'
import { Child, ownRoot } from './child.ts'
import { answerText } from './request.ts'

/** Connections of the service, and of the plain server. */
export const poolSize = 10
const startTimeoutMs = 30_000

/** Process that answers requests. */
export interface Server {
  port: number
  pid: number
}

/** Processes and data that the measures run on. */
export interface BenchEnvironment extends AsyncDisposable {
  databaseUrl: string
  /** Environment variables of the service and of commands. */
  settings: Record<string, string>
  /** Services of a command that runs beside the service; used for set-up. */
  services: Services
  service: Server
  /** Same process as `service`, at the port of the payment page. */
  page: Server
  generator: Child
  /** Number of customers of the large shop. */
  customers: number
  /** Number of transactions that exist before the first measure of transactions. */
  transactions: number
  /** Number of transfers of the large ledger. */
  transfers: number
  /** Path of another checkout that is compared with this one. */
  before?: string | undefined
  /** Words that choose some configurations of the whole payments; none chooses all. */
  only?: readonly string[]
  /** Length of a round of whole payments, and number of rounds. */
  wholeRounds?: { seconds: number; rounds: number }
  /** Length of the load whose memory is measured. */
  memoryLoadS?: number
  /** Aborted by a signal to end. */
  signal: AbortSignal
}

/** Program and settings of the service under test. */
interface Program {
  /** `start` also runs the background jobs. */
  command: 'serve' | 'start'
  /** Checkout of the program. */
  root: string
}

/**
 * Starts PostgreSQL, the service and the load generator. Guarantee: if it throws, none of them keeps running.
 */
export async function openBenchEnvironment(
  signal: AbortSignal,
  sizes: Pick<
    BenchEnvironment,
    'customers' | 'transactions' | 'transfers' | 'before' | 'only' | 'wholeRounds' | 'memoryLoadS'
  >,
  { command, root }: Program = { command: 'serve', root: ownRoot },
): Promise<BenchEnvironment> {
  await using scope = new AsyncDisposableStack()
  const { log } = openLog({ level: 'warn', format: 'json', stream: process.stderr })
  const home = scope.adopt(mkdtempSync(join(tmpdir(), 'vezne-bench-')), removeFolder)
  const databaseUrl = await startDatabase(home, scope, log)
  const settings = await serviceSettings(home, databaseUrl)
  const [api, page] = [Number(settings['API_PORT']), Number(settings['PAGE_PORT'])]
  const service = scope.use(await startService(settings, signal, { command, root }))
  const services = scope.adopt(await openServices(readConfig(settings), log, 'visitor'), (open) =>
    open.close(),
  )
  const generator = scope.use(new Child('bench/load.ts', []))
  // Killing the generator ends a running round immediately.
  signal.addEventListener('abort', () => generator.kill())
  signal.throwIfAborted()
  const opened = scope.move()
  return {
    databaseUrl,
    settings,
    services,
    service: { port: api, pid: service.pid },
    page: { port: page, pid: service.pid },
    generator,
    ...sizes,
    signal,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** Environment variables of a service on this database, with free ports and without rate limits. */
export async function serviceSettings(home: string, databaseUrl: string): Promise<Record<string, string>> {
  const [api, page, metrics, sandbox] = await freePorts(4)
  return {
    DATABASE_URL: databaseUrl,
    DATABASE_POOL_SIZE: String(poolSize),
    VEZNE_SECRET: randomBytes(33).toString('base64'),
    VEZNE_HOME: home,
    API_PORT: String(api),
    PAGE_PORT: String(page),
    METRICS_PORT: String(metrics),
    SANDBOX_PORT: String(sandbox),
    RATE_LIMIT_PER_SECOND: '0',
    PAGE_RATE_LIMIT_PER_SECOND: '0',
    LOG_FORMAT: 'json',
  }
}

/** Starts the service and waits until it is ready. Guarantee: if it throws, the process ends. */
export async function startService(
  settings: Record<string, string>,
  signal: AbortSignal,
  { command, root }: Program,
): Promise<Child> {
  await using scope = new AsyncDisposableStack()
  const service = scope.use(new Child('server/main.ts', [command], settings, root))
  await service.whileRunning(untilReady(Number(settings['API_PORT']), signal))
  scope.move()
  return service
}

/** Headers that a merchant's backend sends with every request. */
export async function tokenHeaders(
  { service }: BenchEnvironment,
  secretKey: string,
): Promise<Record<string, string>> {
  const text = await answerText(service.port, {
    method: 'POST',
    path: '/v1/token/get-token',
    headers: { authorization: `Bearer ${secretKey}` },
  })
  return { authorization: `Bearer ${JSON.parse(text).data.access_token}`, 'accept-language': 'tr' }
}

/**
 * Starts a separate PostgreSQL with the durability of a real one, in a folder that is removed with it. Beside a
 * visitor, a service can use the same home.
 */
export async function startDatabase(
  home: string,
  scope: AsyncDisposableStack,
  log: Log,
  role: 'service' | 'visitor' = 'service',
): Promise<string> {
  const outside = { clock: systemClock, random: systemRandom, log }
  const embedded = await startEmbeddedPostgres({ home, role, ...outside })
  // If root runs PostgreSQL under another account, the data folder may be outside the home.
  scope.adopt(realpathSync(join(home, 'postgres')), removeFolder)
  scope.defer(() => embedded.release())
  const { host, port, user, database } = embedded.connection
  return `postgres://${user}@${encodeURIComponent(host)}:${port}/${database}`
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}

/** All ports are open at the same time, so that no two are equal. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  const ports = servers.map((server) => (server.address() as AddressInfo).port)
  await Promise.all(servers.map((server) => once(server.close(), 'close')))
  return ports
}

/** Waits until the service at this port says that it is ready. */
export async function untilReady(port: number, signal: AbortSignal): Promise<void> {
  const giveUpAt = performance.now() + startTimeoutMs
  while (performance.now() < giveUpAt) {
    signal.throwIfAborted()
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
    if (answer?.ok) return
    await pause(50)
  }
  throw new Error(`the service was not ready after ${startTimeoutMs / 1000} s`)
}
