import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { TestApi } from '../../testing/harness/api.ts'
import { testApi } from '../../testing/harness/api.ts'
import type { Backend } from '../../testing/harness/backend.ts'
import { backendOf, nextPagePath } from '../../testing/harness/backend.ts'
import { assignAllPositions } from '../../testing/seed/assign-all-positions.ts'
import { seedEvent, seedPayment } from '../../testing/seed/payment.ts'
import { seedEvents } from '../../testing/seed/webhook.ts'
import { eventBody } from './event.ts'
import { eventsAfterPosition } from './store.ts'

const env = { RATE_LIMIT_PER_SECOND: '0' }
const url = '/v1/events'

const api = await testApi({ env })
const backend = backendOf(api)
const { services, merchant } = api

const attempts = [{ state: 'approved' as const, code: '00', message: 'Onaylandı' }]
const metadata = [{ key: 'order', value: 'A-1001' }]
const refunded = await seedPayment(services, merchant, {
  ...{ state: 'partly_refunded', amountMinor: 18_990, attempts, metadata },
  refunds: [{ amountMinor: 5_000 }],
})
const failed = await seedPayment(services, merchant, { state: 'failed' })
await assignAllPositions(services.sql, merchant)

interface EventJson {
  id: number
  type: string
  number: number
  transaction_id: number
  data: { refund?: object }
}

/** Creates a merchant with this many events. */
async function busyShop(size: number): Promise<TestApi> {
  const shop = await testApi({ env, database: api.database })
  await seedEvents(shop.services, shop.merchant, size, 'refund.created', { transaction_id: 1 })
  await assignAllPositions(shop.services.sql, shop.merchant)
  return shop
}

async function idsAt(own: Backend, query: string): Promise<number[]> {
  const { status, text, json } = await own.get(`${url}${query}`)
  assert.equal(status, 200, text)
  return json.map(({ id }: EventJson) => id)
}

describe('200', () => {
  it('events come oldest first, numbered by transaction, with the payment as it was after each', async () => {
    const { json, headers } = await backend.get(url)
    assert.deepEqual(
      json.map(({ type, number, transaction_id, data }: EventJson) => [
        ...[type, number, transaction_id],
        'refund' in data,
      ]),
      [
        ['payment.succeeded', 1, refunded.id, false],
        ['payment.failed', 1, failed.id, false],
        ['refund.created', 2, refunded.id, true],
        ['refund.executed', 3, refunded.id, true],
      ],
    )
    assert.deepEqual([headers['x-total-count'], headers['link']], ['4', undefined])
    const [{ data, ...first }] = json
    assert.deepEqual(first, {
      id: first.id,
      type: 'payment.succeeded',
      number: 1,
      transaction_id: refunded.id,
      timestamp: '2026-11-15T09:31:00+03:00',
    })
    assert.deepEqual([data.payment_status_text, data.metadata], ['success', metadata])
  })

  it('the data and the webhook body have the key order of the API’s responses', async () => {
    const last = (await backend.get(url)).json.at(-1)
    const { refund, ...transaction } = last.data
    const shown = await backend.get(`/v1/transaction/${refunded.id}`)
    assert.deepEqual(Object.keys(transaction), Object.keys(shown.json))
    assert.deepEqual(Object.keys(transaction.metadata[0]), Object.keys(shown.json.metadata[0]))
    const refunds = await backend.get(`/v1/transaction/${refunded.id}/refunds`)
    assert.deepEqual(Object.keys(refund), Object.keys(refunds.json[0]))
    assert.equal(Object.keys(last.data).at(-1), 'refund')
    const stored = (await eventsAfterPosition(services.sql, merchant.id, 3, 1))[0] ?? assert.fail()
    const { type, timestamp, data } = last
    assert.equal(eventBody(stored, merchant.timeZone), JSON.stringify({ type, timestamp, data }))
  })

  it('a reader that continues after its last event gets only later ones', async () => {
    const all = await idsAt(backend, '')
    for (const [index, id] of all.entries()) {
      assert.deepEqual(await idsAt(backend, `?after=${id}`), all.slice(index + 1))
    }
    assert.deepEqual(await idsAt(backend, '?after='), all)
  })

  it('events can be filtered by transaction, in order and page by page', async () => {
    const ofRefunded = `?transaction_id=${refunded.id}`
    const { json, headers } = await backend.get(`${url}${ofRefunded}`)
    assert.deepEqual(
      json.map(({ number, transaction_id }: EventJson) => [number, transaction_id]),
      [1, 2, 3].map((number) => [number, refunded.id]),
    )
    assert.equal(headers['x-total-count'], '3')
    const [first, ...others] = json.map(({ id }: EventJson) => id)
    const page = await backend.get(`${url}${ofRefunded}&per_page=1`)
    assert.equal(nextPagePath(page), `${url}${ofRefunded}&per_page=1&after=${first}`)
    assert.deepEqual(await idsAt(backend, `${ofRefunded}&after=${first}`), others)
    const stranger = backendOf(await testApi({ env, database: api.database }))
    assert.deepEqual(await idsAt(stranger, ofRefunded), [])
  })

  it('a reader that starts with `latest` gets only later events', async () => {
    const shop = await testApi({ env, database: api.database })
    const own = backendOf(shop)
    const nothing = await own.get(`${url}?after=latest`)
    assert.deepEqual([nothing.text, nextPagePath(nothing)], ['[]', undefined])
    await seedPayment(shop.services, shop.merchant, { state: 'expired' })
    await assignAllPositions(shop.services.sql, shop.merchant)
    const [before] = await idsAt(own, '')
    const end = await own.get(`${url}?after=latest`)
    assert.deepEqual([end.text, end.headers['x-total-count']], ['[]', '1'])
    assert.equal(nextPagePath(end), `${url}?after=${before}`)
    await seedPayment(shop.services, shop.merchant, { state: 'failed' })
    await assignAllPositions(shop.services.sql, shop.merchant)
    const { json } = await own.get(nextPagePath(end) ?? '')
    assert.deepEqual(
      json.map(({ type }: EventJson) => type),
      ['payment.failed'],
    )
  })

  it('an event without a position is not listed, and is appended once it has one', async () => {
    const shop = await busyShop(2)
    const own = backendOf(shop)
    const before = await idsAt(own, '')
    const { id: paymentId } = await seedPayment(shop.services, shop.merchant)
    const at = new Date(shop.clock.now().getTime() - 60_000)
    const event = { merchantId: shop.merchant.id, paymentId, kind: 'payment.expired' as const, number: 1, at }
    const late = await seedEvent(shop.services, event)
    assert.deepEqual(await idsAt(own, ''), before)
    await assignAllPositions(shop.services.sql, shop.merchant)
    assert.deepEqual(await idsAt(own, `?after=${before.at(-1)}`), [late])
  })

  it('a merchant without events has an empty list, and sees no event of another merchant', async () => {
    const stranger = backendOf(await testApi({ env, database: api.database }))
    const { text, headers } = await stranger.get(url)
    assert.deepEqual([text, headers['x-total-count'], headers['link']], ['[]', '0', undefined])
  })
})

describe('200, page by page', () => {
  it('a page has 20 events by default, and its link continues after the last one', async () => {
    const own = backendOf(await busyShop(45))
    const seen: number[][] = []
    for await (const page of own.pages(url)) {
      seen.push(page.json.map(({ id }: EventJson) => id))
      const next = nextPagePath(page)
      if (next !== undefined) assert.equal(next, `${url}?after=${seen.at(-1)?.at(-1)}`)
      assert.equal(page.headers['x-total-count'], '45')
    }
    assert.deepEqual(
      seen.map(({ length }) => length),
      [20, 20, 5],
    )
    assert.deepEqual(seen.flat(), await idsAt(own, '?per_page=100'))
    assert.equal((await idsAt(own, '?per_page=1')).length, 1)
  })

  it('the count is exact up to 1000, and 1000+ above', async () => {
    const shop = await busyShop(1000)
    const count = async () => (await backendOf(shop).get(`${url}?per_page=1`)).headers['x-total-count']
    assert.equal(await count(), '1000')
    await seedPayment(shop.services, shop.merchant, { state: 'expired' })
    await assignAllPositions(shop.services.sql, shop.merchant)
    assert.equal(await count(), '1000+')
  })

  it('very large events come in smaller pages, and none is missing', async () => {
    const shop = await testApi({ env, database: api.database })
    const { id: paymentId } = await seedPayment(shop.services, shop.merchant)
    const data = { metadata: [{ key: 'note', value: 'ş'.repeat(200_000) }] }
    for (const number of [1, 2, 3, 4, 5]) {
      const at = shop.clock.now()
      await seedEvent(shop.services, {
        ...{ merchantId: shop.merchant.id, paymentId, kind: 'refund.created', number, data, at },
      })
    }
    await assignAllPositions(shop.services.sql, shop.merchant)
    const numbers: number[][] = []
    for await (const { json } of backendOf(shop).pages(url))
      numbers.push(json.map(({ number }: EventJson) => number))
    assert.deepEqual(numbers, [
      [1, 2, 3],
      [4, 5],
    ])
  })
})

describe('401', () => {
  it('without a token no event is returned', async () => {
    const answer = await api.call({ url })
    assert.deepEqual([answer.status, answer.json.error_code], [401, 910])
  })
})

describe('403', () => {
  it('a token made from a public key reads no event', async () => {
    const answer = await api.call({ url, token: await api.token(api.publicKey) })
    assert.deepEqual([answer.status, answer.json.error_code], [403, 912])
  })
})

describe('422', () => {
  const faults = async (query: string): Promise<Record<string, string[]>> => {
    const answer = await backend.get(`${url}?${query}`, { 'accept-language': 'en' })
    assert.deepEqual([answer.status, answer.json.error_code], [422, 901], query)
    return answer.json.errors
  }

  it('the list cannot continue after another merchant’s event, an unpositioned one or an unknown id', async () => {
    const shop = await busyShop(1)
    const [theirs] = await idsAt(backendOf(shop), '')
    const { id: paymentId } = await seedPayment(services, merchant)
    const event = { merchantId: merchant.id, paymentId, kind: 'payment.expired' as const, number: 1 }
    const unpositioned = await seedEvent(services, { ...event, at: api.clock.now() })
    for (const after of [theirs, unpositioned, paymentId, 99_999_999_999_999]) {
      assert.deepEqual(await faults(`after=${after}`), { after: ['Must be the ID of one of your events.'] })
    }
    assert.deepEqual(await faults('after=x'), { after: ['Must be an ID of 14 digits, or latest.'] })
  })

  it('an unknown filter and an invalid page size are refused together', async () => {
    assert.deepEqual(await faults('type=payment.failed'), {
      type: ['There is no such filter. Valid filters: transaction_id, after, per_page.'],
    })
    assert.deepEqual(Object.keys(await faults('per_page=101&kind=x')), ['per_page', 'kind'])
    assert.deepEqual(Object.keys(await faults('per_page=0')), ['per_page'])
  })
})
