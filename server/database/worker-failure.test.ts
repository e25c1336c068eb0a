import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { systemClock } from '../../kit/runtime/clock.ts'
import { CommitUnknown, sql, WorkerUnavailable } from '../../kit/runtime/sql.ts'
import { chargeSummaries } from '../../sandbox/index.ts'
import type { CitusCluster, CitusNode } from '../../testing/harness/citus-nodes.ts'
import { openCitus } from '../../testing/harness/citus-nodes.ts'
import { silentLog } from '../../testing/harness/database.ts'
import { makeHome } from '../../testing/harness/embedded-home.ts'
import {
  drillPaymentCount,
  installedPostgres,
  isOnCitus,
  onCitusOnly,
} from '../../testing/harness/environment.ts'
import { onInterrupt } from '../../testing/harness/on-interrupt.ts'
import type { ServiceProcess } from '../../testing/harness/process.ts'
import { freePorts, startProcess, suiteCleanupScope } from '../../testing/harness/process.ts'
import { ask } from '../../testing/harness/servers.ts'
import { bankDifferences } from '../../testing/invariants/bank-differences.ts'
import { integrityViolations } from '../../testing/invariants/consistency.ts'
import type { SeenResponse } from '../../testing/till/patient-payer.ts'
import { payPatiently } from '../../testing/till/patient-payer.ts'
import { readConfig } from '../config.ts'
import { createMerchant } from '../merchants/index.ts'
import { ensureDemoPos } from '../pos/index.ts'
import type { OpenServices } from '../services.ts'
import { openServices } from '../services.ts'
import { distribute } from './distribute.ts'

const merchantCount = 40
const payersOfEachWorker = 8
const downMs = 8_000

/** A merchant, and the port of the worker that holds its rows. */
interface PlacedMerchant {
  id: number
  secretKey: string
  port: number
}

type Seen = SeenResponse & { port: number; atMs: number }

interface Paid {
  id: number
  status: string
  port: number
  atMs: number
}

describe('a worker of a Citus that crashes', onCitusOnly(), () => {
  const stage = suiteCleanupScope()
  const scope = new AsyncDisposableStack()
  const home = isOnCitus() ? makeHome(stage) : ''
  let cluster: CitusCluster
  let failing: CitusNode
  let services: OpenServices
  let settings: Record<string, string>

  before(async () => {
    const ports = Object.values(await freePorts())
      .slice(0, 3)
      .map(Number)
    cluster = scope.use(await openCitus(installedPostgres(), ports, true))
    const [first] = cluster.workers
    assert.ok(first)
    failing = first
    onInterrupt(() => {
      for (const { pid } of [cluster.coordinator, ...cluster.workers]) process.kill(pid, 'SIGQUIT')
    })
    settings = await settingsOn(cluster, join(home, 'none'))
    services = await openServices(readConfig(settings), silentLog, 'visitor')
    scope.defer(() => services.close())
    await services.migrate()
    await services.withoutTimeouts((database) => distribute(database, { shards: 8, role: undefined }))
  })

  after(() => scope.disposeAsync())

  it('fails the requests of its merchants alone, with 503; afterwards every payment is paid once', async (t) => {
    const failingPort = portOf(failing)
    const merchants: PlacedMerchant[] = []
    for (let number = 1; number <= merchantCount; number++)
      merchants.push(await createPlacedMerchant(services, number))
    const [ofFailing, ofOthers] = [true, false].map((is) =>
      merchants.filter(({ port }) => (port === failingPort) === is),
    ) as [PlacedMerchant[], PlacedMerchant[]]
    assert.ok(ofFailing.length >= 5 && ofOthers.length >= 5)
    startProcess(t, ['./vezne', 'sandbox'], settings)
    const service = startProcess(t, ['./vezne', 'start'], settings)
    await service.waitForLine('"msg":"ready"')
    const pageUrl = await startedPage(service.url, ofFailing[0]?.secretKey)

    const count = drillPaymentCount(200)
    const seen: Seen[] = []
    const paid: Paid[] = []
    const giveUp = new AbortController()
    t.after(() => giveUp.abort())
    const pay = async ({ secretKey, port }: PlacedMerchant) => {
      const shop = { apiUrl: service.url, pageUrl: `http://localhost:${settings['PAGE_PORT']}`, secretKey }
      const onResponse = (response: SeenResponse) =>
        seen.push({ ...response, port, atMs: systemClock.monotonicMs() })
      const payer = { ...shop, signal: giveUp.signal, onResponse }
      const done = await payPatiently(payer, 'amount=10000&currency=TRY')
      paid.push({ ...done, port, atMs: systemClock.monotonicMs() })
    }
    const beganAtMs = systemClock.monotonicMs()
    const paying = Promise.all([payAll(ofFailing, count / 2, pay), payAll(ofOthers, count / 2, pay)])
    while (paid.length < count / 4) await Promise.race([systemClock.sleep(20), paying])

    const crashedAtMs = systemClock.monotonicMs()
    await failing.crash()
    await Promise.all([
      Promise.race([systemClock.sleep(downMs), paying]),
      assertWhileDown(service, settings, pageUrl),
      assertCommandsRefused((words) => startProcess(t, ['./vezne', ...words.split(' ')], settings)),
    ])
    const startedAtMs = systemClock.monotonicMs()
    await failing.start()
    const upAtMs = systemClock.monotonicMs()
    await paying
    const endedAtMs = systemClock.monotonicMs()

    const others = seen.filter(({ port }) => port !== failingPort)
    assert.deepEqual([...new Set(others.map(({ status }) => status))], [200])
    const failed = seen.filter(({ status }) => status !== 200)
    for (const response of failed) assertUnavailable(response)
    assert.ok(failed.length > 0)
    assert.ok(failed.every(({ atMs }) => crashedAtMs <= atMs))
    const unfinished = await services.sql.many(
      sql`select p.id, p.state from payments p where p.state <> 'paid' and p.id = any (${paid.map(({ id }) => id)})`,
    )
    assert.deepEqual([paid.length, unfinished], [count, []])
    assert.ok(paid.every(({ status }) => status === 'success'))
    await assertBooksRight(services, count)
    const check = startProcess(t, ['./vezne', 'ledger', 'check'], settings)
    assert.equal(await check.ended, 0, check.output())
    assert.doesNotMatch(service.output(), /internal error/)
    assert.equal(await service.end('SIGINT'), 0)

    const [firstPaid = upAtMs] = paid
      .filter(({ port, atMs }) => port === failingPort && atMs > upAtMs)
      .map(({ atMs }) => atMs)
    const seconds = (fromMs: number, toMs: number) => `${((toMs - fromMs) / 1000).toFixed(1)} s`
    t.diagnostic(
      `${count} payments in ${seconds(beganAtMs, endedAtMs)}; the worker was away for ${seconds(crashedAtMs, upAtMs)}, of which it started for ${seconds(startedAtMs, upAtMs)}`,
    )
    const whileDown = paid.filter(({ atMs }) => crashedAtMs < atMs && atMs < upAtMs)
    t.diagnostic(
      `${failed.length} responses of 503 to ${new Set(failed.map(({ port }) => port)).size} worker's merchants, the last ${seconds(upAtMs, failed.at(-1)?.atMs ?? upAtMs)} after it accepted connections; ${others.length} responses to the others, all 200`,
    )
    t.diagnostic(
      `${whileDown.filter(({ port }) => port !== failingPort).length} payments of the other merchants ended meanwhile; the first of its merchants ended ${seconds(upAtMs, firstPaid)} after it accepted connections, the last of all ${seconds(upAtMs, endedAtMs)}`,
    )
  })

  it('before a commit leaves its outcome unknown, and a later query finds that nothing was written', async () => {
    const { id: merchantId } = await merchantOn(services, portOf(failing))
    const lost = services.sql.transaction(async (transaction) => {
      await transaction.run(sql`insert into idempotency_keys (merchant_id, key, fingerprint, answer, stored_at)
        values (${merchantId}, 'lost', '\\x00', '', '2026-01-01')`)
      await failing.crash()
    })
    await assert.rejects(lost, CommitUnknown)
    const look = () =>
      services.sql.many(sql`select from idempotency_keys where merchant_id = ${merchantId} and key = 'lost'`)
    await assert.rejects(look(), WorkerUnavailable)
    await failing.start()
    assert.deepEqual(await look(), [])
  })

  it('between the two phases of a commit leaves a prepared transaction, which Citus finishes', async (t) => {
    const { coordinator } = cluster
    // The coordinator then waits after its own commit, before it tells the workers to commit.
    await ask(coordinator.url, ["alter system set synchronous_standby_names = 'nobody'"])
    await ask(coordinator.url, ['select pg_reload_conf()'])
    await systemClock.sleep(1_000)
    const creating = createMerchant(services, { name: 'Prepared', live: false })
    while ((await preparedOn(failing)) === 0) await systemClock.sleep(20)
    await failing.crash()
    await ask(coordinator.url, ['alter system reset synchronous_standby_names'])
    await ask(coordinator.url, ['select pg_reload_conf()'])
    const { merchant } = await creating
    await failing.start()
    const left = await preparedOn(failing)
    while ((await preparedOn(failing)) > 0)
      await ask(coordinator.url, ['select recover_prepared_transactions()'])
    t.diagnostic(`${left} prepared transaction was left when the worker was back`)
    for (const { url } of [coordinator, ...cluster.workers])
      assert.equal((await ask(url, [`select from merchants where id = ${merchant.id}`])).length, 1)
    await ask(coordinator.url, ['select recover_prepared_transactions()'])
    for (const node of [coordinator, ...cluster.workers]) assert.equal(await preparedOn(node), 0)
    assert.deepEqual(await ask(coordinator.url, ['select * from pg_dist_transaction']), [])
  })
})

async function settingsOn({ coordinator }: CitusCluster, home: string): Promise<Record<string, string>> {
  const ports = await freePorts()
  return {
    ...ports,
    DATABASE_URL: coordinator.url,
    VEZNE_SECRET: 'a secret for tests, long enough for it',
    VEZNE_HOME: home,
    SANDBOX_URL: `http://127.0.0.1:${ports.SANDBOX_PORT}`,
    RATE_LIMIT_PER_SECOND: '0',
    PAGE_RATE_LIMIT_PER_SECOND: '0',
    DRAIN_SECONDS: '0',
  }
}

function portOf({ url }: CitusNode): number {
  return Number(new URL(url).port)
}

async function createPlacedMerchant(services: OpenServices, number: number): Promise<PlacedMerchant> {
  const { merchant, secretKey } = await createMerchant(services, { name: `Shop ${number}`, live: false })
  await ensureDemoPos(services, merchant)
  const { port } = await services.sql.one<{ port: number }>(sql`select n.nodeport as port
    from pg_dist_placement p join pg_dist_node n on n.groupid = p.groupid
    where p.shardid = get_shard_id_for_distribution_column('payments', ${merchant.id}::bigint)`)
  return { id: merchant.id, secretKey, port }
}

async function merchantOn(services: OpenServices, port: number): Promise<PlacedMerchant> {
  const merchant = await createPlacedMerchant(services, 0)
  return merchant.port === port ? merchant : merchantOn(services, port)
}

/** Starts a payment; returns the address of its page. */
async function startedPage(apiUrl: string, secretKey = ''): Promise<string> {
  // biome-ignore lint/suspicious/noExplicitAny: a reader of an absent field fails
  const post = async (path: string, token: string, body: string): Promise<any> => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/x-www-form-urlencoded',
    }
    const answer = await fetch(apiUrl + path, { method: 'POST', headers, body })
    return JSON.parse(await answer.text()).data
  }
  const { access_token: token } = await post('/v1/token/get-token', secretKey, '')
  return (await post('/v1/payment/3ds', token, 'amount=10000&currency=TRY')).payment_page_url
}

/** Pays this often at these merchants in turn, some payments at a time. */
async function payAll(
  merchants: readonly PlacedMerchant[],
  total: number,
  pay: (merchant: PlacedMerchant) => Promise<void>,
): Promise<void> {
  let started = 0
  const payer = async () => {
    while (started < total) await pay(merchants[started++ % merchants.length] as PlacedMerchant)
  }
  await Promise.all(Array.from({ length: payersOfEachWorker }, payer))
}

/** The instance stays ready, its metrics are served, and a payer sees our own error page. */
async function assertWhileDown(
  { url }: ServiceProcess,
  settings: Record<string, string>,
  pageUrl: string,
): Promise<void> {
  await systemClock.sleep(1_000)
  for (const port of [settings['API_PORT'], settings['PAGE_PORT']])
    assert.equal((await fetch(`http://localhost:${port}/readyz`)).status, 200)
  const metrics = await fetch(`http://localhost:${settings['METRICS_PORT']}/metrics`)
  assert.deepEqual([metrics.status, url.startsWith('http')], [200, true])
  const page = await fetch(pageUrl, { headers: { accept: 'text/html', 'accept-language': 'en' } })
  assert.deepEqual([page.status, page.headers.get('retry-after')], [503, '2'])
  assert.match(await page.text(), /We cannot respond at the moment/)
}

/** Commands that need every worker change nothing and say which worker is away. */
async function assertCommandsRefused(run: (words: string) => ServiceProcess): Promise<void> {
  for (const words of ['merchant create --name Yeni', 'ledger check']) {
    const command = run(words)
    assert.equal(await command.ended, 1, words)
    assert.match(
      command.output(),
      /^A worker of the database cannot be reached: connection to the remote node \S+ failed .*\. Start the worker, and try again\.$/m,
    )
  }
}

/** A refusal of the API, of the page's JSON, or our own error page. */
function assertUnavailable({ status, code, isHtml, retryAfter, text }: Seen): void {
  assert.deepEqual([status, code, retryAfter], [503, isHtml ? undefined : 991, '2'], text)
}

/** Ledger, events and the bank agree: each payment is charged once. */
async function assertBooksRight(services: OpenServices, count: number): Promise<void> {
  const bank = { book: () => chargeSummaries(services.sql, services.clock.now()) }
  assert.deepEqual(await bankDifferences({ services, bank }), [])
  assert.deepEqual(await integrityViolations({ services }), [])
  const events = await services.sql.many(sql`select kind, count(*)::int as count,
    count(distinct payment_id)::int as payments from events group by kind`)
  assert.deepEqual(events, [{ kind: 'payment.succeeded', count, payments: count }])
}

async function preparedOn({ url }: CitusNode): Promise<number> {
  return (await ask(url, ["select from pg_prepared_xacts where gid like 'citus_%'"])).length
}
