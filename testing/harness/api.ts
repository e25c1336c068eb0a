import { after } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { networkHttpClient } from '../../kit/outbound/http-client.ts'
import { networkOutboundClient } from '../../kit/outbound/network-outbound-client.ts'
import { openLog } from '../../kit/runtime/log.ts'
import { Metrics } from '../../kit/runtime/metrics.ts'
import { NumericIdAllocator } from '../../kit/runtime/numeric-id-allocator.ts'
import { ProcessState } from '../../kit/runtime/process-state.ts'
import { TaskGroup } from '../../kit/runtime/task-group.ts'
import { Keyring } from '../../kit/security/keyring.ts'
import { systemRandom } from '../../kit/security/random.ts'
import type { ApiRoute } from '../../server/api.ts'
import { apiApp } from '../../server/api.ts'
import type { Environment } from '../../server/config.ts'
import { readConfig } from '../../server/config.ts'
import { connectors } from '../../server/connectors/index.ts'
import type { Database } from '../../server/database/pool.ts'
import { RequestDeadlines } from '../../server/database/request-deadlines.ts'
import { SearchQueue } from '../../server/database/search-queue.ts'
import { reserveIds } from '../../server/database/store.ts'
import { VersionedCache } from '../../server/database/versioned-cache.ts'
import type { Merchant } from '../../server/merchants/index.ts'
import { createMerchant, MerchantCache } from '../../server/merchants/index.ts'
import type { Services } from '../../server/services.ts'
import { TestClock } from './clock.ts'
import { testDatabase } from './database.ts'
import { searchesAtOnce } from './searches.ts'

export interface TestApi {
  app: FastifyInstance
  services: Services
  clock: TestClock
  merchantCache: MerchantCache
  /** Checked only when the test calls it. */
  deadlines: RequestDeadlines
  /** Lines of the log. */
  lines: string[]
  database: Database & { url: string }
  merchant: Merchant
  secretKey: string
  publicKey: string
  /** Calls the API after refreshing its caches. */
  call(request: TestRequest): Promise<TestAnswer>
  /** Calls the API without refreshing its caches. */
  callAtOnce(request: TestRequest): Promise<TestAnswer>
  /** A new access token of this key; of the secret key by default. */
  token(key?: string): Promise<string>
}

export interface TestRequest {
  method?: 'GET' | 'POST' | 'DELETE' | 'PUT' | 'OPTIONS' | 'HEAD' | 'PATCH'
  url: string
  token?: string | undefined
  headers?: Record<string, string>
  form?: string
  json?: unknown
  body?: string | Buffer
}

export interface TestAnswer {
  status: number
  headers: Record<string, unknown>
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came, and fails where it differs
  json: any
}

/**
 * The service behind its web app, without a port, with its own database and a clock that the test advances.
 */
export async function testApi(
  options: {
    routes?: ApiRoute[]
    env?: Environment
    live?: boolean
    database?: Database & { url: string }
    clock?: TestClock
  } = {},
): Promise<TestApi> {
  const database = options.database ?? (await testDatabase())
  const config = readConfig({ VEZNE_SECRET: 'a secret for tests, long enough for it', ...options.env })
  const clock = options.clock ?? new TestClock()
  const lines: string[] = []
  const { log } = openLog({
    level: 'debug',
    format: 'json',
    stream: { write: (line) => lines.push(line) },
  })
  const services: Services = {
    config,
    sql: database.sql,
    searches: new SearchQueue(database.sql, searchesAtOnce, clock),
    clock,
    random: systemRandom,
    cache: new VersionedCache(database.sql, clock, log),
    ids: new NumericIdAllocator(reserveIds(database.sql)),
    http: networkHttpClient(clock),
    outbound: networkOutboundClient(clock),
    connectors,
    log,
    metrics: new Metrics(),
    keyring: new Keyring(config.secret ?? '', config.secretPrevious),
    tasks: new TaskGroup(),
    processState: new ProcessState(),
  }
  const made = await createMerchant(services, { name: 'Test Mağaza', live: options.live ?? false })
  const merchantCache = new MerchantCache(database.sql, database.sql, clock, log)
  const deadlines = new RequestDeadlines('api', services)
  const app = apiApp(services, {
    merchantCache,
    deadlines,
    readiness: async () => undefined,
    isClosing: () => false,
    routes: options.routes ?? [],
  })
  after(() => app.close())
  const callAtOnce = (request: TestRequest) => inject(app, request)
  const call = async (request: TestRequest) => {
    // One after the other: a second database connection costs more time than most tests need.
    await merchantCache.refresh()
    await services.cache.refresh()
    return callAtOnce(request)
  }
  const token = async (key = made.secretKey) => {
    const answer = await call({ method: 'POST', url: '/v1/token/get-token', token: key })
    return answer.json.data.access_token as string
  }
  return { app, services, clock, merchantCache, deadlines, lines, database, ...made, call, callAtOnce, token }
}

async function inject(app: FastifyInstance, request: TestRequest): Promise<TestAnswer> {
  const headers: Record<string, string> = { ...request.headers }
  if (request.token !== undefined) headers['authorization'] = `Bearer ${request.token}`
  let payload = request.body
  if (request.form !== undefined) {
    headers['content-type'] = 'application/x-www-form-urlencoded'
    payload = request.form
  }
  if (request.json !== undefined) {
    headers['content-type'] = 'application/json'
    payload = JSON.stringify(request.json)
  }
  const answer = await app.inject({
    method: request.method ?? 'GET',
    url: request.url,
    headers,
    ...(payload === undefined ? {} : { payload }),
  })
  const isJson = String(answer.headers['content-type'] ?? '').startsWith('application/json')
  return {
    status: answer.statusCode,
    headers: answer.headers,
    text: answer.payload,
    json: isJson && answer.payload !== '' ? JSON.parse(answer.payload) : undefined,
  }
}
