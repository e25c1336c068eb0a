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
import { testCvc, typedPayer } from '../harness/payer.ts'
import { searchesAtOnce } from '../harness/searches.ts'
import { formsIn, listenOnFreePort } from './browser.ts'

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

type PaymentStep = (typeof paymentSteps)[number]

const testEnv = { VEZNE_SECRET: 'a secret for tests, long enough for it' }

/** A card with a 3DS Method and no challenge. */
export const frictionless = '4000000000002701'

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
  const pay = async () => {
    const token = await tokenOf(apiUrl, secretKey)
    return payOnce({ apiUrl, pageUrl, token }, 'amount=10000&currency=TRY', proxy.count)
  }
  await pay()
  const { trips, status } = await pay()
  expect(status, 'success')
  return trips
}

/** Pays over HTTP at any running service, as a merchant and a browser do; returns the transaction id. */
export async function payOverHttp(
  { apiUrl, pageUrl, secretKey }: { apiUrl: string; pageUrl: string; secretKey: string },
  form: string,
): Promise<number> {
  const { id } = await payOnce({ apiUrl, pageUrl, token: await tokenOf(apiUrl, secretKey) }, form)
  return id
}

async function tokenOf(apiUrl: string, secretKey: string): Promise<string> {
  return (await send(`${apiUrl}/v1/token/get-token`, secretKey, '')).data.access_token
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

interface Shop {
  apiUrl: string
  pageUrl: string
  token: string
}

interface Paid {
  id: number
  status: string
  trips: RoundTrips
}

async function payOnce({ apiUrl, pageUrl, token }: Shop, form: string, count = () => 0): Promise<Paid> {
  const trips: Partial<RoundTrips> = {}
  const counted = async <Result>(stepName: PaymentStep, work: () => Promise<Result>): Promise<Result> => {
    const before = count()
    const result = await work()
    trips[stepName] = count() - before
    return result
  }
  const { data } = await counted('start', () => send(`${apiUrl}/v1/payment/3ds`, token, form))
  const path = new URL(data.payment_page_url).pathname
  const at = (rest: string) => `${pageUrl}${path}${rest}`
  await counted('first_view', () => textAt(at(''), { headers: { accept: 'text/html' } }))
  await counted('offer', () => sendJson(at('/offer'), { bin: frictionless.slice(0, 8) }))
  const typed = { number: frictionless, expiry: '12/30', cvc: testCvc, holder: 'Işık Öztürk' }
  const parameters = new URLSearchParams(form)
  const charged = Number(parameters.get('amount'))
  const chosen = { installment: 1, charged, submission: '0e4b3f1c-9a52-4c1d-8f1e-6b7a2d3c4e5f' }
  const taken = await counted('card', () => sendJson(at('/card'), { ...typed, ...chosen, ...typedPayer }))
  expect(taken.next, 'bank_frame')
  await counted('bank', () => textAt(at('/bank?lang=tr'), { headers: { accept: 'text/html' } }))
  const step = await counted('step', () => jsonAt(at('/step?width=400&height=600')))
  expect(step.step, 'method')
  await counted('method', () => lookAtBrowser(step))
  const screen = { colorDepth: 24, screenWidth: 1280, screenHeight: 800, timeZoneOffset: -180 }
  const facts = { ...screen, language: 'tr', javaEnabled: false }
  const authentication = await counted('authenticate', () => sendJson(at('/authenticate'), facts))
  expect(authentication.step, 'over')
  const pageState = await counted('status', () => jsonAt(at('/status')))
  expect(pageState.view, parameters.get('pre_auth') === 'true' ? 'held' : 'paid')
  const headers = { authorization: `Bearer ${token}` }
  const read = () => jsonAt(`${apiUrl}/v1/transaction/${data.transaction_id}`, { headers })
  const { payment_status_text: status } = await counted('result', read)
  const all = Object.fromEntries(
    paymentSteps.map((stepName) => [stepName, trips[stepName] ?? Number.NaN]),
  ) as RoundTrips
  return { id: data.transaction_id, status, trips: all }
}

/** Runs the 3DS Method as the hidden frame does: the bank's page posts back to us. */
async function lookAtBrowser({
  url,
  fields,
}: {
  url: string
  fields: Record<string, string>
}): Promise<void> {
  const methodPage = await textAt(url, { method: 'POST', body: new URLSearchParams(fields) })
  const [back] = formsIn(methodPage, url)
  if (!back) throw new Error('the bank’s page does not lead back')
  await textAt(back.action, { method: 'POST', body: new URLSearchParams(back.fields) })
}

function send(url: string, token: string, body: string) {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/x-www-form-urlencoded',
  }
  return jsonAt(url, { method: 'POST', headers, body })
}

function sendJson(url: string, value: object) {
  const headers = { 'content-type': 'application/json' }
  return jsonAt(url, { method: 'POST', headers, body: JSON.stringify(value) })
}

// biome-ignore lint/suspicious/noExplicitAny: whoever reads it fails where it differs
async function jsonAt(url: string, request?: RequestInit): Promise<any> {
  return JSON.parse(await textAt(url, request))
}

async function textAt(url: string, request: RequestInit = {}): Promise<string> {
  const answer = await fetch(url, request)
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${url} was answered ${answer.status}: ${text}`)
  return text
}

function expect(came: unknown, due: string): void {
  if (came !== due) throw new Error(`${due} was due, ${came} came`)
}
