import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { after, describe, it } from 'node:test'
import { sql } from '../../kit/runtime/sql.ts'
import { createSandboxTables } from '../../sandbox/index.ts'
import type { TestApi } from '../../testing/harness/api.ts'
import { testApi } from '../../testing/harness/api.ts'
import { silentLog } from '../../testing/harness/database.ts'
import { repetitions } from '../../testing/harness/tier.ts'
import { seedCharges } from '../../testing/seed/charges.ts'
import { listenOnFreePort } from '../../testing/till/browser.ts'
import { openDatabase } from '../database/pool.ts'
import { ensureDemoPos } from '../pos/index.ts'
import { posOfMerchant } from '../pos/store.ts'

const env = { RATE_LIMIT_PER_SECOND: '0' }
// No till here: a till would search everything these thousands of requests store for card numbers.
const api = await testApi({ env })
const { sql: database } = api.services
await createSandboxTables(database)
await ensureDemoPos(api.services, api.merchant)
const [{ id: posId } = { id: 0 }] = await posOfMerchant(database, api.merchant.id)

/** Second instance, with its own connections to the same database. */
const own = openDatabase({ url: api.database.url }, 10, silentLog)
after(() => own.close())
const secondInstance = await testApi({ env, database: { ...own, url: api.database.url } })
const token = await api.token()
const [here, there] = await Promise.all([api, secondInstance].map(listening))

async function listening({ app, merchantCache }: TestApi): Promise<string> {
  await merchantCache.refresh()
  return listenOnFreePort(app)
}

interface Answer {
  status: number
  code: number | null
  body: string
}

/** Sockets stay open, and their number is not limited. */
const agent = new Agent({ keepAlive: true })
after(() => agent.destroy())

/** Requests 60.00 of a payment of 100.00 from one instance, over a socket. */
async function ask(address: string | undefined, paymentId: number, key?: string): Promise<Answer> {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/x-www-form-urlencoded',
    ...(key !== undefined && { 'idempotency-key': key }),
  }
  const sent = request(`${address}/v1/transaction/refund`, { method: 'POST', agent, headers })
  sent.end(`transaction_id=${paymentId}&amount=6000&description=at+once`)
  const [answer]: IncomingMessage[] = await once(sent, 'response')
  const body = answer ? await text(answer) : ''
  return { status: answer?.statusCode ?? 0, code: JSON.parse(body).error_code, body }
}

/** Payments with concurrent refunds. */
const atOnce = 40

/** Requests two refunds of each payment at the same time; returns both responses. */
async function twiceEach(
  count: number,
  twice: (paymentId: number, index: number) => Promise<Answer>[],
): Promise<{ ids: number[]; answers: Answer[][] }> {
  const ids = await seedCharges(api, { posId, preAuth: false, fault: null, count })
  const answers: Answer[][] = []
  for (let done = 0; done < count; done += atOnce) {
    const some = ids.slice(done, done + atOnce)
    answers.push(...(await Promise.all(some.map((id, index) => Promise.all(twice(id, index))))))
  }
  return { ids, answers }
}

/** Number of payments for each pair of responses. */
function pairsIn(answers: readonly Answer[][]): Record<string, number> {
  const pairs = answers.map((both) => both.map(({ status, code }) => `${status} ${code}`).toSorted())
  const counted = Map.groupBy(pairs, (pair) => pair.join(', '))
  return Object.fromEntries([...counted].map(([pair, all]) => [pair, all.length]))
}

/** Summary of the payments' rows: number and sum of refunds, whether all are open, and number of events. */
async function summaryOf(ids: readonly number[]): Promise<object[]> {
  return database.many(sql`select refunds, requested, events, open, count(*)::int as payments from (
      select count(r.id)::int as refunds, coalesce(sum(r.amount), 0)::int as requested, p.event_count - 1 as events,
        bool_and(r.id is not distinct from p.refund_id) as open
      from payments p left join refunds r on r.merchant_id = p.merchant_id and r.payment_id = p.id
      where p.id = any(${ids}::bigint[]) group by p.merchant_id, p.id) as each
    group by 1, 2, 3, 4`)
}

/** Number of concurrent pairs. */
const pairs = repetitions(1_000)

const oneEach = (payments: number) => [{ refunds: 1, requested: 6000, events: 1, open: true, payments }]
const oneOfTwo = (payments: number) => ({ '200 null, 409 930': payments })

describe('two refunds of 60 of a payment of 100 at the same time', () => {
  it(`create one refund of 60, in one instance and in two (${pairs} times)`, async () => {
    const { ids, answers } = await twiceEach(pairs, (id, index) => [
      ask(here, id),
      ask(index % 2 === 0 ? here : there, id),
    ])
    assert.deepEqual(pairsIn(answers), oneOfTwo(pairs))
    assert.deepEqual(await summaryOf(ids), oneEach(pairs))
  })

  it('create one refund when each has its own Idempotency-Key', async () => {
    const { ids, answers } = await twiceEach(60, (id) => [
      ask(here, id, `first ${id}`),
      ask(there, id, `second ${id}`),
    ])
    assert.deepEqual(pairsIn(answers), oneOfTwo(60))
    assert.deepEqual(await summaryOf(ids), oneEach(60))
  })

  it('count as one request and get the same response when they share an Idempotency-Key', async () => {
    const { ids, answers } = await twiceEach(60, (id) => [
      ask(here, id, `same ${id}`),
      ask(there, id, `same ${id}`),
    ])
    assert.deepEqual(pairsIn(answers), { '200 null, 200 null': 60 })
    for (const [one, other] of answers) assert.equal(one?.body, other?.body)
    assert.deepEqual(await summaryOf(ids), oneEach(60))
  })
})
