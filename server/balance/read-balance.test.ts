import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DatabaseUnavailable } from '../../kit/runtime/sql.ts'
import type { TestApi } from '../../testing/harness/api.ts'
import { testApi } from '../../testing/harness/api.ts'
import { backendOf } from '../../testing/harness/backend.ts'
import { sqlWith } from '../../testing/harness/sql.ts'
import { seedChargeTransfers, seedRefundTransfers } from '../../testing/seed/transfers.ts'
import { testTill } from '../../testing/till/till.ts'
import { changeMerchant } from '../merchants/change-merchant.ts'
import { takeSnapshots } from './take-snapshots.ts'

const url = '/v1/balance'
const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs
const running = new AbortController().signal

/** Available and pending amount per currency. */
async function readBalances(api: TestApi): Promise<[currency: string, available: number, pending: number][]> {
  const { json } = await backendOf(api).get(url)
  return json.map((entry: Record<string, unknown>) => [
    entry['currency_code'],
    entry['available'],
    entry['pending'],
  ])
}

describe('200', () => {
  it('the list is empty before the first charge', async () => {
    const answer = await backendOf(await testApi()).get(url)
    assert.deepEqual([answer.status, answer.text], [200, '[]'])
  })

  it('a paid amount is pending without the commission, and available from the start of the next day', async () => {
    const till = await testTill()
    const paymentId = await till.start()
    await till.pay(paymentId, '5400360000000003')
    const entry = {
      currency_code: 'TRY',
      available: 0,
      pending: 9_821,
      total: 9_821,
      formatted_available: '0.00',
      formatted_pending: '98.21',
      formatted_total: '98.21',
    }
    assert.deepEqual((await backendOf(till).get(url)).json, [entry])
    // The test clock starts at 09:30 in Istanbul.
    till.clock.advance(14.5 * hourMs - 1)
    assert.deepEqual(await readBalances(till), [['TRY', 0, 9_821]])
    till.clock.advance(1)
    const available = {
      available: 9_821,
      pending: 0,
      formatted_available: '98.21',
      formatted_pending: '0.00',
    }
    assert.deepEqual((await backendOf(till).get(url)).json, [{ ...entry, ...available }])
  })

  it('each currency has an entry, in the order of the codes', async () => {
    const api = await testApi()
    for (const currency of ['USD', 'TRY', 'EUR', 'TRY']) {
      await seedChargeTransfers(api.services, api.merchant, {
        currency,
        chargedMinor: 500,
        commissionMinor: 0,
      })
    }
    assert.deepEqual(await readBalances(api), [
      ['EUR', 0, 500],
      ['TRY', 0, 1_000],
      ['USD', 0, 500],
    ])
  })

  it('a charge is available immediately for 0 settlement days, and otherwise after the merchant’s settlement days', async () => {
    const api = await testApi()
    const { services, clock } = api
    const settle = (settlement_days: number) =>
      changeMerchant(services, { merchant: api.merchant.id, settlement_days })
    await seedChargeTransfers(services, await settle(0))
    assert.deepEqual(await readBalances(api), [['TRY', 9_821, 0]])
    await seedChargeTransfers(services, await settle(90))
    clock.advance(89 * dayMs)
    assert.deepEqual(await readBalances(api), [['TRY', 9_821, 9_821]])
    clock.advance(dayMs)
    assert.deepEqual(await readBalances(api), [['TRY', 19_642, 0]])
  })

  it('a refund reduces the pending amount while its payment is pending, and later the available amount, even below zero', async () => {
    const api = await testApi()
    const { services, merchant, clock } = api
    const { paymentId } = await seedChargeTransfers(services, merchant)
    await seedRefundTransfers(services, merchant, { paymentId, chargedMinor: 4_000, commissionMinor: 72 })
    assert.deepEqual(await readBalances(api), [['TRY', 0, 9_821 - 3_928]])
    clock.advance(dayMs)
    assert.deepEqual(await readBalances(api), [['TRY', 5_893, 0]])
    await seedRefundTransfers(services, merchant, { paymentId, chargedMinor: 6_000, commissionMinor: 107 })
    assert.deepEqual(await readBalances(api), [['TRY', 0, 0]])
    const { paymentId: other } = await seedChargeTransfers(services, merchant)
    clock.advance(dayMs)
    await seedRefundTransfers(services, merchant, { paymentId: other })
    await seedChargeTransfers(services, merchant, { chargedMinor: 50, commissionMinor: 0 })
    const lost = await seedChargeTransfers(services, merchant, { chargedMinor: 700, commissionMinor: 0 })
    clock.advance(dayMs)
    await seedRefundTransfers(services, merchant, { ...lost, chargedMinor: 1_000, commissionMinor: 0 })
    const [entry] = (await backendOf(api).get(url)).json
    assert.deepEqual(
      [entry.available, entry.formatted_available, entry.formatted_total],
      [-250, '-2.50', '-2.50'],
    )
  })

  it('the balance does not depend on snapshots, and merchants see only their own', async () => {
    const api = await testApi()
    const { services, clock, merchant } = api
    const other = await testApi({ database: api.database, clock })
    const third = await testApi({ database: api.database, clock })
    for (let day = 0; day < 3; day++) {
      for (let count = 0; count < 5; count++) {
        const { paymentId } = await seedChargeTransfers(services, { ...merchant, settlementDays: 2 })
        if (count === 0) await seedRefundTransfers(services, merchant, { paymentId })
        await seedChargeTransfers(other.services, other.merchant, { currency: 'EUR' })
      }
      clock.advance(dayMs / 2)
      const before = [await readBalances(api), await readBalances(other)]
      assert.equal(await takeSnapshots(services, running), 11)
      assert.equal(await takeSnapshots(services, running), 0)
      assert.deepEqual([await readBalances(api), await readBalances(other)], before)
      clock.advance(dayMs / 2)
    }
    assert.deepEqual(await readBalances(api), [['TRY', 8 * 9_821, 4 * 9_821]])
    assert.deepEqual(await readBalances(other), [['EUR', 15 * 9_821, 0]])
    assert.deepEqual(await readBalances(third), [])
  })
})

describe('requests at the same time', () => {
  it('each balance has every transfer that was posted before its request, however many requests are under way', async () => {
    const api = await testApi()
    const { services, merchant } = api
    const other = await testApi({ database: api.database, clock: api.clock })
    await seedChargeTransfers(other.services, other.merchant, { currency: 'EUR' })
    const [own, others] = [await api.token(), await other.token()]
    const ask = async (of: TestApi, token: string) => (await of.callAtOnce({ url, token })).json
    const posts = 20
    const asked: [posted: number, currency: string, answer: ReturnType<typeof ask>][] = []
    for (let posted = 1; posted <= posts; posted++) {
      await seedChargeTransfers(services, merchant)
      for (let count = 0; count < 5; count++) asked.push([posted, 'TRY', ask(api, own)])
      asked.push([1, 'EUR', ask(other, others)])
    }
    for (const [posted, currency, answer] of asked) {
      const [entry, ...more] = await answer
      const [least, most] = [posted * 9_821, (currency === 'TRY' ? posts : 1) * 9_821]
      assert.deepEqual([entry.currency_code, entry.available, more], [currency, 0, []])
      assert.ok(entry.pending >= least && entry.pending <= most && entry.pending % 9_821 === 0)
    }
  })

  it('a reading that fails fails only its own requests, and the next request gets the balance', async () => {
    const api = await testApi()
    await seedChargeTransfers(api.services, api.merchant)
    const { sql } = api.services
    let isAway = true
    api.services.sql = sqlWith(sql, {
      many: (query) =>
        isAway && query.text.includes('balance_snapshots')
          ? Promise.reject(new DatabaseUnavailable('the database is away'))
          : sql.many(query),
    })
    const answers = await Promise.all([1, 2, 3].map(() => backendOf(api).get(url)))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [503, 503, 503],
    )
    isAway = false
    assert.deepEqual(await readBalances(api), [['TRY', 0, 9_821]])
  })
})

describe('401', () => {
  it('a request without a token is refused', async () => {
    const answer = await (await testApi()).call({ url })
    assert.deepEqual([answer.status, answer.json.error_code], [401, 910])
  })
})

describe('403', () => {
  it('a token of a public key is refused', async () => {
    const api = await testApi()
    const answer = await api.call({ url, token: await api.token(api.publicKey) })
    assert.deepEqual([answer.status, answer.json.error_code], [403, 912])
  })
})
