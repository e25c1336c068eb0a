import { networkHttpClient } from '../../kit/outbound/http-client.ts'
import { networkOutboundClient } from '../../kit/outbound/network-outbound-client.ts'
import { systemClock } from '../../kit/runtime/clock.ts'
import { Metrics } from '../../kit/runtime/metrics.ts'
import { NumericIdAllocator } from '../../kit/runtime/numeric-id-allocator.ts'
import { ProcessState } from '../../kit/runtime/process-state.ts'
import { TaskGroup } from '../../kit/runtime/task-group.ts'
import { Keyring } from '../../kit/security/keyring.ts'
import { systemRandom } from '../../kit/security/random.ts'
import { createSandboxTables, sandboxApp } from '../../sandbox/index.ts'
import { apiApp } from '../../server/api.ts'
import type { Environment } from '../../server/config.ts'
import { readConfig } from '../../server/config.ts'
import { connectors } from '../../server/connectors/index.ts'
import { openDatabase } from '../../server/database/pool.ts'
import { RequestDeadlines } from '../../server/database/request-deadlines.ts'
import { SearchQueue } from '../../server/database/search-queue.ts'
import { reserveIds } from '../../server/database/store.ts'
import { VersionedCache } from '../../server/database/versioned-cache.ts'
import { createMerchant, MerchantCache } from '../../server/merchants/index.ts'
import { pageApp } from '../../server/page.ts'
import { ensureDemoPos } from '../../server/pos/index.ts'
import type { Services } from '../../server/services.ts'
import { TestClock } from '../harness/clock.ts'
import { countingProxy } from '../harness/counting-proxy.ts'
import { silentLog } from '../harness/database.ts'
import { searchesAtOnce } from '../harness/searches.ts'
import { listenOnFreePort } from './browser.ts'
import { HttpSender } from './http-sender.ts'
import type { PayerOptions, PayerStep } from './pay-over-http.ts'
import { payOnce } from './pay-over-http.ts'

/** Round trips of a payment, by step of the merchant or the browser. */
export type RoundTrips = Record<PaymentStep, number>

export const paymentSteps = [
  'start',
  'first_view',
  'offer',
  'card',
  'bank',
  'step',
  'method',
  'authenticate',
  'status',
  'result',
] as const

type PaymentStep = Extract<PayerStep, (typeof paymentSteps)[number]>

const testEnv = { VEZNE_SECRET: 'a secret for tests, long enough for it' }

/**
 * Counts the database round trips of one frictionless payment, from its start to its result. The payment uses
 * the real API and page over HTTP, as a merchant and a browser do, and every connection of the service is
 * counted. The sandbox bank has its own connections, which are not counted. One payment before it fills the
 * caches and is not counted. The service's clock stands still, so that on a slow machine no cache entry
 * expires and no timeout occurs.
 */
export async function countRoundTrips(databaseUrl: string, env: Environment = testEnv): Promise<RoundTrips> {
  await using scope = new AsyncDisposableStack()
  const bank = scope.adopt(openDatabase({ url: databaseUrl }, 4, silentLog), (database) => database.close())
  await createSandboxTables(bank.sql)
  const tools = { sql: bank.sql, clock: systemClock, random: systemRandom, log: silentLog }
  const sandbox = scope.adopt(sandboxApp(tools), (app) => app.close())
  const proxy = scope.adopt(await countingProxy(databaseUrl), (each) => each.close())
  const database = scope.adopt(openDatabase({ url: proxy.url }, 10, silentLog), (each) => each.close())
  const clock = new TestClock(systemClock.now().toISOString())
  const services = servicesOn(database.sql, clock, env, await listenOnFreePort(sandbox))
  scope.defer(() => services.tasks.drain())
  const { merchant, secretKey } = await createMerchant(services, { name: 'Round trips', live: false })
  await ensureDemoPos(services, merchant)
  const merchantCache = new MerchantCache(services.sql, services.sql, clock, silentLog)
  const deadlines = new RequestDeadlines('both', services)
  const options = { readiness: async () => undefined, isClosing: () => false, deadlines }
  const api = scope.adopt(apiApp(services, { ...options, merchantCache }), (app) => app.close())
  const page = scope.adopt(pageApp(services, options), (app) => app.close())
  const [apiUrl, pageUrl] = [await listenOnFreePort(api), await listenOnFreePort(page)]
  services.config = { ...services.config, pageUrl }
  await merchantCache.refresh()
  const trips: Partial<Record<PayerStep, number>> = {}
  const around: PayerOptions['around'] = async (step, work) => {
    const before = proxy.roundTrips()
    const result = await work()
    trips[step] = proxy.roundTrips() - before
    return result
  }
  using sender = new HttpSender()
  const pay = () => payOnce(sender, { apiUrl, pageUrl, secretKey }, 'amount=10000&currency=TRY', { around })
  await pay()
  const { status } = await pay()
  if (status !== 'success') throw new Error(`the payment ended as ${status}`)
  return Object.fromEntries(paymentSteps.map((step) => [step, trips[step] ?? Number.NaN])) as RoundTrips
}

function servicesOn(
  sql: Services['sql'],
  clock: Services['clock'],
  env: Environment,
  sandboxUrl: string,
): Services {
  const config = readConfig(env)
  return {
    config: { ...config, sandboxUrl },
    sql,
    searches: new SearchQueue(sql, searchesAtOnce, clock),
    clock,
    random: systemRandom,
    cache: new VersionedCache(sql, clock, silentLog),
    ids: new NumericIdAllocator(reserveIds(sql)),
    http: networkHttpClient(systemClock),
    outbound: networkOutboundClient(systemClock),
    connectors,
    log: silentLog,
    metrics: new Metrics(),
    keyring: new Keyring(config.secret ?? '', config.secretPrevious),
    tasks: new TaskGroup(),
    processState: new ProcessState(),
  }
}
