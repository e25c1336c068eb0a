import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../../kit/runtime/sql.ts'
import type { TestApi } from '../../testing/harness/api.ts'
import { testApi } from '../../testing/harness/api.ts'
import { backendOf, nextPagePath } from '../../testing/harness/backend.ts'
import { occupySearches, untilSearchesWait } from '../../testing/harness/searches.ts'
import { seedChargeTransfers, seedRefundTransfers } from '../../testing/seed/transfers.ts'

const env = { RATE_LIMIT_PER_SECOND: '0' }
const url = '/v1/balance/transfers'
const hourMs = 60 * 60 * 1000

const api = await testApi({ env })
const backend = backendOf(api)
const { services, merchant, clock } = api

// Posted in this order, an hour apart.
const book = await seedChargeTransfers(services, merchant, { chargedMinor: 20_000, commissionMinor: 358 })
clock.advance(hourMs)
const mug = await seedChargeTransfers(services, merchant, {
  currency: 'EUR',
  chargedMinor: 990,
  commissionMinor: 0,
})
clock.advance(hourMs)
const half = await seedRefundTransfers(services, merchant, {
  paymentId: book.paymentId,
  chargedMinor: 10_000,
  commissionMinor: 179,
})
clock.advance(24 * hourMs)
const rest = await seedRefundTransfers(services, merchant, {
  paymentId: book.paymentId,
  chargedMinor: 10_000,
  commissionMinor: 179,
})
const names = new Map([
  [book.id, 'book'],
  [mug.id, 'mug'],
  [half.id, 'half'],
  [rest.id, 'rest'],
])

/** Names of the found transfers. */
async function searchTransfers(query: string): Promise<string[]> {
  const answer = await backend.get(`${url}?${query}`)
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.headers['x-total-count'], String(answer.json.length))
  return answer.json.map(({ id }: { id: number }) => names.get(id))
}

/** A merchant with `size` transfers, spread over `moments` different times. */
async function busyShop(size: number, moments = 1): Promise<TestApi> {
  const shop = await testApi({ env, database: api.database })
  const { id } = await seedChargeTransfers(shop.services, shop.merchant)
  await shop.services.sql.run(sql`insert into ledger_transfers (merchant_id, id, cause, reason, payment_id, currency,
      debit, credit, amount, created_at)
    select merchant_id, id + 10000000000000 + number, 'payment ' || number, reason, number, currency, debit, credit, amount,
      created_at + (number % ${moments}::integer) * interval '1 millisecond'
    from ledger_transfers, generate_series(1, ${size - 1}::integer) as number where id = ${id}`)
  return shop
}

describe('200', () => {
  it('a payment shows the charged amount and the commission, a refund shows both as negative', async () => {
    const { json } = await backend.get(url)
    const ofBook = { transaction_id: book.paymentId, currency_code: 'TRY' }
    const back = { reason: 'refund', gross: -10_000, commission: -179, amount: -9_821 }
    assert.deepEqual(json, [
      {
        ...{ id: rest.id, ...ofBook, refund_id: rest.refundId, ...back, formatted_amount: '-98.21' },
        // A refund of an available payment is available immediately.
        available_at: '2026-11-16T11:30:00+03:00',
        created_at: '2026-11-16T11:30:00+03:00',
      },
      {
        ...{ id: half.id, ...ofBook, refund_id: half.refundId, ...back, formatted_amount: '-98.21' },
        available_at: '2026-11-16T00:00:00+03:00',
        created_at: '2026-11-15T11:30:00+03:00',
      },
      {
        ...{ id: mug.id, transaction_id: mug.paymentId, refund_id: null, reason: 'payment' },
        ...{ currency_code: 'EUR', gross: 990, commission: 0, amount: 990, formatted_amount: '9.90' },
        available_at: '2026-11-16T00:00:00+03:00',
        created_at: '2026-11-15T10:30:00+03:00',
      },
      {
        ...{ id: book.id, ...ofBook, refund_id: null, reason: 'payment' },
        ...{ gross: 20_000, commission: 358, amount: 19_642, formatted_amount: '196.42' },
        available_at: '2026-11-16T00:00:00+03:00',
        created_at: '2026-11-15T09:30:00+03:00',
      },
    ])
  })

  it('the amounts add up to the balance', async () => {
    const { json } = await backend.get(url)
    const balance = (await backend.get('/v1/balance')).json
    for (const { currency_code, total } of balance) {
      const amounts = json.filter((each: { currency_code: string }) => each.currency_code === currency_code)
      assert.equal(
        amounts.reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0),
        total,
      )
    }
    assert.equal(balance.length, 2)
  })

  it('each filter narrows the list, alone and combined', async () => {
    assert.deepEqual(await searchTransfers(''), ['rest', 'half', 'mug', 'book'])
    assert.deepEqual(await searchTransfers('currency_code=EUR'), ['mug'])
    assert.deepEqual(await searchTransfers('currency_code=try'), ['rest', 'half', 'book'])
    assert.deepEqual(await searchTransfers('reason=refund'), ['rest', 'half'])
    assert.deepEqual(await searchTransfers('reason=payment'), ['mug', 'book'])
    assert.deepEqual(await searchTransfers(`transaction_id=${book.paymentId}`), ['rest', 'half', 'book'])
    assert.deepEqual(await searchTransfers('created_from=2026-11-16'), ['rest'])
    assert.deepEqual(await searchTransfers('created_to=2026-11-15T10:30:00%2B03:00'), ['mug', 'book'])
    assert.deepEqual(
      await searchTransfers('created_from=2026-11-15T10:30:00%2B03:00&created_to=2026-11-15'),
      ['half', 'mug'],
    )
    assert.deepEqual(
      await searchTransfers(
        `transaction_id=${book.paymentId}&reason=refund&currency_code=TRY&created_to=2026-11-15`,
      ),
      ['half'],
    )
    assert.deepEqual(await searchTransfers('currency_code=EUR&reason=refund'), [])
    assert.deepEqual(await searchTransfers('transaction_id=99999999999999'), [])
    assert.deepEqual(await searchTransfers('currency_code=&reason='), ['rest', 'half', 'mug', 'book'])
    assert.equal((await backend.get(`${url}?currency_code=USD`)).text, '[]')
  })

  it('a payment whose commission equals the charge changes no balance and is not listed', async () => {
    const shop = await testApi({ env, database: api.database })
    const all = await seedChargeTransfers(shop.services, shop.merchant, {
      chargedMinor: 1,
      commissionMinor: 1,
    })
    assert.deepEqual((await backendOf(shop).get(`${url}?transaction_id=${all.paymentId}`)).json, [])
  })

  it('another merchant finds none of the transfers by any filter', async () => {
    const stranger = backendOf(await testApi({ env, database: api.database }))
    for (const query of ['', `?transaction_id=${book.paymentId}`, '?currency_code=TRY', '?reason=refund']) {
      const answer = await stranger.get(url + query)
      assert.deepEqual([answer.text, answer.headers['x-total-count']], ['[]', '0'], query)
    }
  })
})

describe('200, page by page', () => {
  it('a page has 20 transfers by default, and its link leads to the next page with the same filters', async () => {
    const own = backendOf(await busyShop(45, 7))
    const sizes: number[] = []
    for await (const page of own.pages(`${url}?currency_code=TRY&reason=payment`))
      sizes.push(page.json.length)
    assert.deepEqual(sizes, [20, 20, 5])
    const whole = await own.get(`${url}?per_page=100`)
    assert.deepEqual([whole.json.length, whole.headers['link']], [45, undefined])
    const first = await own.get(`${url}?per_page=1&reason=payment`)
    assert.equal(new URLSearchParams(nextPagePath(first)?.split('?')[1]).get('reason'), 'payment')
  })

  it('each transfer is on one page, even if many share a time and others are posted meanwhile', async () => {
    for (const moments of [1, 5]) {
      const shop = await busyShop(30, moments)
      const own = backendOf(shop)
      const all: number[] = (await own.get(`${url}?per_page=100`)).json.map(({ id }: { id: number }) => id)
      const seen: number[] = []
      shop.clock.advance(hourMs)
      for await (const page of own.pages(`${url}?per_page=7`)) {
        seen.push(...page.json.map(({ id }: { id: number }) => id))
        await seedChargeTransfers(shop.services, shop.merchant)
      }
      assert.deepEqual(seen, all)
    }
  })

  it('the count is exact up to 1000, and 1000+ above', async () => {
    const counts = async (size: number) => {
      const own = backendOf(await busyShop(size))
      const queries = ['', '?currency_code=TRY', '?reason=payment', '?created_from=2026-11-15']
      const answers = await Promise.all(queries.map((query) => own.get(url + query)))
      return new Set(answers.map(({ headers }) => headers['x-total-count']))
    }
    assert.deepEqual(await counts(1001), new Set(['1000+']))
    assert.deepEqual(await counts(1000), new Set(['1000']))
  })
})

describe('401', () => {
  it('a request without a token is refused', async () => {
    const answer = await api.call({ url })
    assert.deepEqual([answer.status, answer.json.error_code], [401, 910])
  })
})

describe('403', () => {
  it('a token of a public key is refused', async () => {
    const answer = await api.call({ url, token: await api.token(api.publicKey) })
    assert.deepEqual([answer.status, answer.json.error_code], [403, 912])
  })
})

describe('422', () => {
  const faults = async (query: string): Promise<Record<string, string[]>> => {
    const answer = await backend.get(`${url}?${query}`, { 'accept-language': 'en' })
    assert.equal(answer.status, 422, query)
    assert.equal(answer.json.error_code, 901)
    return answer.json.errors
  }

  it('an unknown filter is named, together with all other faults', async () => {
    const known = 'currency_code, reason, transaction_id, created_from, created_to, after, per_page'
    const unknown = [`There is no such filter. Valid filters: ${known}.`]
    assert.deepEqual(await faults('curency_code=TRY'), { curency_code: unknown })
    assert.deepEqual(Object.keys(await faults('per_page=101&x=a&currency_code=JPY&reason=commission')), [
      'currency_code',
      'reason',
      'per_page',
      'x',
    ])
  })

  it('malformed ids, reasons, times, sizes and cursors are refused', async () => {
    const wrong = ['transaction_id=1', 'transaction_id=x', 'reason=refund_commission', 'currency_code=TL']
    const others = ['per_page=0', 'per_page=x', 'after=x', 'created_from=2026-02-30', 'created_to=x']
    for (const query of [...wrong, ...others]) {
      assert.deepEqual(Object.keys(await faults(query)), query.split('=', 1), query)
    }
  })

  it('a cursor of another merchant or an invented cursor is refused', async () => {
    const shop = await busyShop(3)
    const link = nextPagePath(await backendOf(shop).get(`${url}?per_page=1`)) ?? ''
    assert.equal((await backendOf(shop).get(link)).status, 200)
    const theirs = new URLSearchParams(link.split('?')[1]).get('after') ?? ''
    const [ms = '', id = ''] = Buffer.from(theirs, 'base64url').toString().split('.')
    const shifted = Buffer.from(`${Number(ms) + 1}.${id}`).toString('base64url')
    const own = Buffer.from(`${clock.now().getTime()}.${book.id}`).toString('base64url')
    for (const after of [theirs, shifted, own]) {
      const complaint = ['Must be taken from the `Link` header of an earlier response.']
      assert.deepEqual(await faults(`after=${after}`), { after: complaint })
    }
  })
})

it('lists use the search connections: while these are busy, other requests continue', async () => {
  const other = await testApi({ env })
  await using held = await occupySearches(other.services)
  const listed = backendOf(other).get(url)
  await untilSearchesWait(other.services, 1)
  assert.equal((await backendOf(other).get('/v1/balance')).status, 200)
  await held.letGo()
  assert.equal((await listed).status, 200)
})
