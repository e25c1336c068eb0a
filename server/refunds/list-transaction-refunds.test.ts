import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../../kit/runtime/sql.ts'
import type { RowOf } from '../../kit/runtime/table.ts'
import { isoTime } from '../../kit/text/zoned-time.ts'
import { backendOf } from '../../testing/harness/backend.ts'
import { seed } from '../../testing/seed/seed.ts'
import { refundActions, unrefundableCard } from '../../testing/till/refunds.ts'
import { testTill } from '../../testing/till/till.ts'
import { createMerchant } from '../merchants/index.ts'
import { refunds } from './refund.ts'

const till = await testTill()
const { services, clock } = till
const { sql: database } = services
const backend = backendOf(till)
const { paid, asked, refunded, refundsOf, withManualReview, decide } = refundActions(till)

/** Current time, or a little later, as the merchant sees it. */
const now = (ms = 0) => isoTime(new Date(clock.now().getTime() + ms), 'Europe/Istanbul')

const list = (id: number | string, query = '') => backend.get(`/v1/transaction/${id}/refunds${query}`)

/** Inserts old, ended refunds of a payment, one a second; the last two have the same time. */
async function seedRefunds(paymentId: number, count: number): Promise<number[]> {
  const ids = (await services.ids.nextMany(count)).toSorted((a, b) => a - b)
  const at = clock.now()
  const instrument = await database.one<Pick<RowOf<typeof refunds>, 'instrumentFingerprint'>>(
    sql`select instrument_fingerprint as "instrumentFingerprint" from payment_attempts where payment_id = ${paymentId} limit 1`,
  )
  const common = {
    ...{ merchantId: till.merchant.id, paymentId, ...instrument, state: 'rejected', amountMinor: 100 },
    endedAt: at,
  } satisfies Partial<RowOf<typeof refunds>>
  const requestedAt = (index: number) => new Date(at.getTime() + Math.min(index + 1, count - 1) * 1000)
  const rows = ids.map((id, index) => ({ ...common, id, requestedAt: requestedAt(index) }))
  await seed(database, refunds, rows)
  return ids.toReversed()
}

describe('200', () => {
  it('a transaction without refunds has an empty list', async () => {
    const { status, json, headers } = await list(await paid())
    assert.deepEqual([status, json, headers['x-total-count'], headers['link']], [200, [], '0', undefined])
  })

  it('a refund has all of its fields in every state', async () => {
    const id = await paid()
    await asked(id, 4_050)
    const [refund] = await refundsOf(id)
    const underReview = {
      id: refund?.id,
      transaction_id: id,
      amount: 4050,
      currency_code: 'TRY',
      formatted_amount: '40.50',
      status: 'under_review',
      waiting_for: 'review',
      due_at: now(2_000),
      description: 'Ürün iade edildi',
      reason: null,
      created_at: now(),
      reviewed_at: null,
      end_at: null,
    }
    assert.deepEqual((await list(id)).json, [underReview])
    await till.pass(3_000)
    const at = now(-1_000)
    const over = { status: 'executed', waiting_for: null, due_at: null, reviewed_at: at, end_at: at }
    assert.deepEqual((await list(id)).json, [{ ...underReview, ...over }])
  })

  it('a rejected or failed refund shows its reason, and an approved one shows none', async () => {
    const id = await paid(unrefundableCard)
    await withManualReview(async () => {
      await asked(id, 100)
      const [refund] = (await list(id)).json
      assert.deepEqual([refund.waiting_for, refund.due_at], ['review', null], 'a person takes what it takes')
      await decide(id, 'reject')
      await asked(id, 200)
      await decide(id, 'approve')
    })
    const [approved, rejected] = (await list(id)).json
    assert.deepEqual([approved.waiting_for, approved.due_at], ['bank_answer', now()])
    assert.deepEqual([rejected.waiting_for, rejected.due_at], [null, null])
    const reasons = async () =>
      (await list(id)).json.map((refund: Record<string, unknown>) => [refund['status'], refund['reason']])
    assert.deepEqual(await reasons(), [
      ['approved', null],
      ['rejected', 'Ürün geri gelmedi'],
    ])
    await till.pass(0)
    assert.deepEqual((await reasons())[0], ['failed', '12 Geçersiz işlem'])
  })

  it('the newest comes first, and refunds of other transactions are left out', async () => {
    const [id, other] = [await paid(), await paid()]
    for (const amount of [100, 200, 300]) {
      await asked(id, amount)
      await refunded(other, amount)
    }
    const { json, headers } = await list(id)
    assert.deepEqual(
      json.map(({ amount }: { amount: number }) => amount),
      [300, 200, 100],
    )
    assert.deepEqual([headers['x-total-count'], headers['link']], ['3', undefined])
  })

  it('pages have no gaps and no repetitions, even where two refunds have the same time', async () => {
    const id = await paid()
    const ids = await seedRefunds(id, 7)
    const seen: number[][] = []
    for await (const page of backend.pages(`/v1/transaction/${id}/refunds?per_page=2`)) {
      assert.equal(page.headers['x-total-count'], '7')
      seen.push(page.json.map((refund: { id: number }) => refund.id))
    }
    assert.deepEqual(
      seen.map(({ length }) => length),
      [2, 2, 2, 1],
    )
    assert.deepEqual(seen.flat(), ids)
  })

  it('a page has 20 refunds by default and 100 at most, and the count stops at 1000', async () => {
    const id = await paid()
    await seedRefunds(id, 1001)
    const first = await list(id)
    assert.deepEqual([first.json.length, first.headers['x-total-count']], [20, '1000+'])
    assert.match(String(first.headers['link']), /^<http[^>]+\/refunds\?after=[^>]+>; rel="next"$/)
    assert.equal((await list(id, '?per_page=100')).json.length, 100)
  })

  it('a cursor of another transaction counts as a point in time and shows nothing of that transaction', async () => {
    const [id, other] = [await paid(), await paid()]
    await seedRefunds(other, 3)
    await seedRefunds(id, 3)
    const { headers } = await list(other, '?per_page=1')
    const after = /after=([^>&]+)/.exec(String(headers['link']))?.[1]
    const { json } = await list(id, `?after=${after}`)
    assert.ok(json.every((refund: { transaction_id: number }) => refund.transaction_id === id))
  })
})

describe('403', () => {
  it('a token of a public key lists no refunds', async () => {
    const token = await till.token(till.publicKey)
    const { status, json } = await till.call({ url: `/v1/transaction/${await paid()}/refunds`, token })
    assert.deepEqual([status, json.error_code], [403, 912])
  })
})

describe('404', () => {
  it('another merchant’s transaction, an unknown one and an invalid id get exactly the same response', async () => {
    const id = await paid()
    await asked(id)
    const neighbour = await createMerchant(services, { name: 'Komşu' })
    const token = await till.token(neighbour.secretKey)
    const answers = await Promise.all(
      [id, 99_999_999_999_999, 'me', '1'].map((each) =>
        till.call({ url: `/v1/transaction/${each}/refunds`, token }),
      ),
    )
    for (const { status, text, json } of answers) {
      assert.deepEqual([status, json.error_code], [404, 920])
      assert.equal(text, answers[0]?.text)
    }
  })
})

describe('422', () => {
  it('901 for an unknown filter, an invalid cursor and an invalid page size, all in one response', async () => {
    const id = await paid()
    for (const [query, names] of [
      ['?status=executed', ['status']],
      ['?after=x', ['after']],
      ['?after=', []],
      ['?per_page=0', ['per_page']],
      ['?per_page=101', ['per_page']],
      ['?per_page=1.5', ['per_page']],
      ['?stauts=executed&after=!&per_page=x', ['after', 'per_page', 'stauts']],
    ] as const) {
      const { status, json } = await list(id, query)
      assert.equal(status, names.length === 0 ? 200 : 422, query)
      if (names.length > 0) {
        assert.equal(json.error_code, 901)
        assert.deepEqual(Object.keys(json.errors).toSorted(), names, query)
      }
    }
  })
})
