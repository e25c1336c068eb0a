import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../kit/runtime/sql.ts'
import { silentLog, testDatabase } from '../testing/harness/database.ts'
import { freePorts } from '../testing/harness/process.ts'
import { occupySearches, untilSearchesWait } from '../testing/harness/searches.ts'
import { readConfig } from './config.ts'
import { createMerchant } from './merchants/index.ts'
import { ensureDemoPos } from './pos/index.ts'
import { startService } from './start.ts'

const database = await testDatabase()
const config = readConfig({
  ...(await freePorts()),
  DATABASE_URL: database.url,
  DATABASE_POOL_SIZE: '12',
  VEZNE_SECRET: 'a secret for tests, long enough for it',
})
const { services, stop } = await startService(config, silentLog, { web: true, work: false })
after(stop)
const { merchant, secretKey } = await createMerchant(services, { name: 'Test Mağaza' })
await ensureDemoPos(services, merchant)

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came, and fails where it differs
async function ask(url: string, token: string, form?: string): Promise<{ status: number; json: any }> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-www-form-urlencoded' }
  const answer = await fetch(url, form === undefined ? { headers } : { headers, method: 'POST', body: form })
  const text = await answer.text()
  return { status: answer.status, json: text.startsWith('<') ? text : JSON.parse(text) }
}

describe('while searches hold all search connections', () => {
  it('events, a transaction, the balance, a new payment and its page respond; a search waits for a connection', async () => {
    const token = (await ask(`${config.apiUrl}/v1/token/get-token`, secretKey, '')).json.data.access_token
    await using held = await occupySearches(services, 3)
    const searching = ask(`${config.apiUrl}/v1/customers/search?q=isik`, token)
    await untilSearchesWait(services, 1)
    const started = await ask(`${config.apiUrl}/v1/payment/3ds`, token, 'amount=10000&currency=TRY')
    const { transaction_id: id, payment_page_url: page } = started.json.data
    const paths = ['/v1/events', '/v1/events?after=latest', `/v1/transaction/${id}`, '/v1/balance']
    for (const url of [...paths.map((path) => `${config.apiUrl}${path}`), page])
      assert.equal((await ask(url, token)).status, 200, url)
    const metrics = await (await fetch(`http://127.0.0.1:${config.metricsPort}/metrics`)).text()
    for (const line of ['{state="total"} 3', '{state="idle"} 0', '{state="waiting"} 1'])
      assert.ok(metrics.includes(`vezne_search_connections${line}\n`), line)
    await held.letGo()
    const { status, json } = await searching
    assert.deepEqual([status, json], [200, []])
  })
})

it('an instance opens at most its pool size, a quarter of it for searches, and two more connections', async () => {
  const look = sql`select 1`
  const much = Array.from({ length: 20 }, () => [
    services.sql.one(look),
    services.own.one(look),
    services.searches.run((own) => own.one(look)),
  ])
  await Promise.all(much.flat())
  const { count } = await database.sql.one<{ count: number }>(
    // The servers of a Citus connect to each other.
    sql`select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
      and backend_type = 'client backend' and application_name not like 'citus%'`,
  )
  assert.equal(count, 12 + 3 + 2)
})
