import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Query } from '../../kit/runtime/sql.ts'
import { sql } from '../../kit/runtime/sql.ts'
import { testApi } from '../../testing/harness/api.ts'
import { backendOf } from '../../testing/harness/backend.ts'
import type { BatchingSql } from '../database/batching-sql.ts'
import { changeMerchant } from '../merchants/change-merchant.ts'
import { createMerchant, setMerchantState } from '../merchants/index.ts'
import { ensureDemoPos } from '../pos/index.ts'
import { decodePageToken } from './addresses/page-address.ts'
import type { PaymentItem } from './records/payment.ts'
import { startPayment } from './start-payment.ts'

const url = '/v1/payment/3ds'
const english = { 'accept-language': 'en' }
const api = await testApi({ env: { RATE_LIMIT_PER_SECOND: '0', PAGE_URL: 'https://pay.example' } })
const { sql: database } = api.services
const backend = backendOf(api)
await ensureDemoPos(api.services, api.merchant)

const ayse = { name: 'Ayşe', lastname: 'Işık', email: 'ayse@example.com', phone: '+905321234567' }
const customer = (await backend.json('/v1/customers', ayse)).json.id as number
const coffee = { product_name: 'Türk kahvesi', price: 150, description: 'Orta kavrulmuş.' }
const coffeeId = (await backend.json('/v1/products', coffee)).json.id as number
const cup = { product_name: 'Fincan', price: 99 }
const cupId = (await backend.json('/v1/products', cup)).json.id as number

interface Row {
  merchant_id: number
  state: string
  version: number
  amount: number
  currency: string
  pre_auth: boolean
  customer_id: number | null
  items: PaymentItem[]
  metadata: { key: string; value: string }[]
  description: string | null
  redirect_url: string | null
  page_key: Buffer
  started_by: string
  created_at: Date
  expires_at: Date
  due_at: Date
}

function rowOf(id: number): Promise<Row> {
  return database.one(sql`select * from payments where id = ${id}`)
}

/** The row of a payment started with these fields. */
async function started(more: object): Promise<Row> {
  const answer = await backend.json(url, { amount: 1000, currency: 'TRY', ...more })
  assert.equal(answer.status, 200, answer.text)
  return rowOf(answer.json.data.transaction_id)
}

/** The database with a counter of its queries. */
function counted(inner: BatchingSql): { counting: BatchingSql; count(): number } {
  let calls = 0
  const noted = <Result>(ask: (query: Query) => Promise<Result>) => {
    return (query: Query) => {
      calls += 1
      return ask(query)
    }
  }
  const counting: BatchingSql = {
    many: noted((query) => inner.many(query)) as BatchingSql['many'],
    one: noted((query) => inner.one(query)) as BatchingSql['one'],
    maybe: noted((query) => inner.maybe(query)) as BatchingSql['maybe'],
    run: noted((query) => inner.run(query)),
    batch: (query, row) => {
      calls += 1
      return inner.batch(query, row)
    },
    transaction: () => assert.fail('starting a payment opens no transaction'),
    write: (write) => {
      calls += 1
      return inner.write(write)
    },
  }
  return { counting, count: () => calls }
}

describe('200', () => {
  it('a payment with all parameters is answered in the envelope, exactly as in the contract', async () => {
    const form = new URLSearchParams({
      customer_id: String(customer),
      amount: '1399',
      currency: 'TRY',
      redirect_url: 'https://shop.example/return?transaction_id=',
      pre_auth: 'true',
      products: JSON.stringify([{ product_name: 'Kargo', price: 1000 }]),
      'product_ids[0]': String(coffeeId),
      'product_ids[1]': String(cupId),
      'product_ids[2]': String(coffeeId),
      'metadata[0][key]': 'order',
      'metadata[0][value]': 'A-1001',
      'metadata[1][key]': 'vip',
      'metadata[1][value]': 'true',
      description: 'Sipariş A-1001',
    })
    const { status, json } = await backend.form(url, String(form), { 'accept-language': 'tr' })
    const { data, ...envelope } = json
    assert.equal(status, 200)
    assert.deepEqual(envelope, { status: true, message: 'Ödeme başlatıldı.', errors: [], error_code: null })
    assert.deepEqual(Object.keys(data), ['transaction_id', 'payment_page_url', 'expires_at'])
    assert.match(String(data.transaction_id), /^\d{14}$/)
    assert.equal(data.expires_at, '2026-11-15T10:00:00+03:00')
    const row = await rowOf(data.transaction_id)
    assert.deepEqual(decodePageToken(data.payment_page_url.slice('https://pay.example/p/'.length)), {
      merchantId: api.merchant.id,
      id: data.transaction_id,
      pageKey: row.page_key,
    })
    assert.deepEqual(
      [row.state, row.version, row.amount, row.currency, row.pre_auth, row.customer_id, row.started_by],
      ['open', 1, 1399, 'TRY', true, customer, 'secret'],
    )
    assert.deepEqual(row.items, [
      { product_name: 'Kargo', price: 1000, description: null },
      { id: coffeeId, ...coffee },
      { id: cupId, ...cup, description: null },
      { id: coffeeId, ...coffee },
    ])
    assert.deepEqual(row.metadata, [
      { key: 'order', value: 'A-1001' },
      { key: 'vip', value: 'true' },
    ])
    assert.deepEqual(
      [row.description, row.redirect_url],
      ['Sipariş A-1001', 'https://shop.example/return?transaction_id='],
    )
    assert.deepEqual([row.due_at, row.expires_at], [row.expires_at, new Date('2026-11-15T07:00:00Z')])
  })

  it('the minimum of the contract is accepted: amount and currency', async () => {
    const { status, json } = await backend.form(url, { amount: '1', currency: 'TRY' }, english)
    assert.deepEqual([status, json.message], [200, 'The payment was started.'])
    const row = await rowOf(json.data.transaction_id)
    assert.deepEqual([row.items, row.metadata, row.customer_id, row.pre_auth], [[], [], null, false])
    assert.deepEqual([row.description, row.redirect_url], [null, null])
  })

  it('JSON is accepted with native values and with the texts of a form', async () => {
    const products = [{ product_name: 'Kargo', price: 1000, description: 'Ertesi gün' }]
    const metadata = [{ key: 'order', value: 'A-1001' }]
    const native = await started({ products, metadata, pre_auth: true })
    const texts = await started({
      products: JSON.stringify(products),
      metadata: JSON.stringify(metadata),
      pre_auth: 'true',
    })
    assert.deepEqual([texts.items, texts.metadata, texts.pre_auth], [products, metadata, true])
    assert.deepEqual([native.items, native.metadata, native.pre_auth], [products, metadata, true])
  })

  it('metadata values are returned as text, whether sent as text, number, boolean or empty', async () => {
    const values = ['Işık', '', 12, 1.5, true, false]
    const row = await started({ metadata: values.map((value, index) => ({ key: `k${index}`, value })) })
    assert.deepEqual(
      row.metadata.map(({ value }) => value),
      ['Işık', '', '12', '1.5', 'true', 'false'],
    )
  })

  it('a currency in lower case is accepted, and blank parameters count as not sent', async () => {
    const row = await started({
      currency: 'usd',
      redirect_url: ' ',
      description: '',
      products: '',
      product_ids: [],
    })
    assert.deepEqual([row.currency, row.redirect_url, row.description, row.items], ['USD', null, null, []])
  })

  it('a hundred products in both lists together are accepted', async () => {
    const products = Array.from({ length: 60 }, () => ({ product_name: 'Kargo', price: 1 }))
    const row = await started({ amount: 60 + 40 * 99, products, product_ids: Array(40).fill(cupId) })
    assert.equal(row.items.length, 100)
  })

  it('a payment keeps its products as they were, whatever changes later', async () => {
    const { json } = await backend.json('/v1/products', { product_name: 'Eski ad', price: 1000 })
    const answer = await backend.json(url, { amount: 1000, currency: 'TRY', product_ids: [json.id] })
    await backend.json(`/v1/products/${json.id}`, { product_name: 'Yeni ad', price: 5 })
    await backend.delete(`/v1/products/${json.id}`)
    assert.deepEqual((await rowOf(answer.json.data.transaction_id)).items, [
      { id: json.id, product_name: 'Eski ad', price: 1000, description: null },
    ])
  })

  it('the page lifetime is the merchant’s setting', async () => {
    const made = await createMerchant(api.services, { name: 'Acele', page_lifetime_minutes: 5 })
    await ensureDemoPos(api.services, made.merchant)
    const token = await api.token(made.secretKey)
    const { json } = await api.call({ method: 'POST', url, token, form: 'amount=1&currency=TRY' })
    assert.equal(json.data.expires_at, '2026-11-15T09:35:00+03:00')
  })

  it('a token of a public key can start a payment, and the scope of the key is stored', async () => {
    const token = await api.token(api.publicKey)
    const { json } = await api.call({ method: 'POST', url, token, form: 'amount=1&currency=TRY' })
    assert.equal((await rowOf(json.data.transaction_id)).started_by, 'public')
  })

  it('with a token of a public key the currency defaults to the merchant’s', async () => {
    const made = await createMerchant(api.services, { name: 'Berlin', currency: 'EUR' })
    await ensureDemoPos(api.services, made.merchant)
    const secret = await api.token(made.secretKey)
    const token = await api.token(made.publicKey)
    const product = 'product_name=Tee&price=150&currency_code='
    const [own, other] = await Promise.all(
      ['EUR', 'TRY'].map(async (code) => {
        const form = `${product}${code}`
        return (await api.call({ method: 'POST', url: '/v1/products', token: secret, form })).json.id
      }),
    )
    const start = (form: string, headers = {}) =>
      api.call({ method: 'POST', url, token, headers: { ...english, ...headers }, form })
    const once = { 'idempotency-key': 'a-start-without-currency' }
    for (const answer of [
      await start('amount=150'),
      await start('amount=150&currency=', once),
      await start(`amount=150&product_ids[0]=${own}`),
    ]) {
      assert.equal(answer.status, 200, answer.text)
      assert.equal((await rowOf(answer.json.data.transaction_id)).currency, 'EUR')
    }
    const { status, json } = await start(`amount=150&product_ids[0]=${other}`)
    assert.deepEqual([status, Object.keys(json.errors)], [422, ['product_ids.0']])
  })

  it('a browser on any site can send the request and read the answer', async () => {
    const preflight = await api.call({
      method: 'OPTIONS',
      url,
      headers: { origin: 'https://shop.example', 'access-control-request-method': 'POST' },
    })
    assert.deepEqual([preflight.status, preflight.headers['access-control-allow-methods']], [204, 'POST'])
    assert.match(String(preflight.headers['access-control-allow-headers']), /authorization.*idempotency-key/)
    const token = await api.token(api.publicKey)
    const headers = { origin: 'https://shop.example' }
    const answer = await api.call({ method: 'POST', url, token, headers, form: 'amount=1&currency=TRY' })
    assert.deepEqual([answer.status, answer.headers['access-control-allow-origin']], [200, '*'])
  })

  it('a payment without customer and products is found by its page, and due when the page expires', async () => {
    const { json } = await backend.json(url, { amount: 1234, currency: 'TRY', metadata: [], products: [] })
    const { transaction_id: paymentId, payment_page_url: page } = json.data
    const row = await rowOf(paymentId)
    assert.deepEqual(decodePageToken(page.slice('https://pay.example/p/'.length)), {
      merchantId: api.merchant.id,
      id: paymentId,
      pageKey: row.page_key,
    })
    assert.deepEqual([row.due_at, row.created_at], [row.expires_at, api.clock.now()])
    assert.deepEqual([row.items, row.metadata, row.customer_id, row.redirect_url], [[], [], null, null])
  })

  it('each payment takes one query, with or without customer and products', async () => {
    const inputs = [
      { amount: 1, currency: 'TRY' },
      { amount: 1000, currency: 'TRY', products: [{ product_name: 'Kargo', price: 1000 }] },
      { amount: 1, currency: 'TRY', customer_id: customer },
      { amount: 150 + 99, currency: 'TRY', product_ids: [coffeeId, cupId], customer_id: customer },
    ]
    for (const input of inputs) {
      const { counting, count } = counted(database)
      await startPayment({ ...api.services, sql: counting }, api.merchant, input, 'secret')
      assert.equal(count(), 1, JSON.stringify(input))
    }
  })
})

describe('401', () => {
  it('a request without a token is refused', async () => {
    const before = await database.many(sql`select id from payments order by id`)
    const { status, json } = await api.call({ method: 'POST', url, form: 'amount=1&currency=TRY' })
    assert.deepEqual([status, json.error_code], [401, 910])
    assert.deepEqual(await database.many(sql`select id from payments order by id`), before)
  })
})

describe('403', () => {
  const sentBy = async (secretKey: string) =>
    api.call({
      method: 'POST',
      url,
      token: await api.token(secretKey),
      form: 'amount=1&currency=TRY',
      headers: english,
    })

  it('a merchant without 3-D Secure is refused with the reason', async () => {
    const made = await createMerchant(api.services, { name: 'Yalnızca 2D', supports_3d: false })
    await ensureDemoPos(api.services, made.merchant)
    const { status, json } = await sentBy(made.secretKey)
    assert.deepEqual([status, json.error_code], [403, 912])
    assert.match(json.message, /The merchant does not accept 3-D Secure payments\.$/)
    await changeMerchant(api.services, { merchant: made.merchant.id, supports_3d: true })
    assert.equal((await sentBy(made.secretKey)).status, 200)
  })

  it('a suspended merchant is refused', async () => {
    const made = await createMerchant(api.services, { name: 'Askıda' })
    await ensureDemoPos(api.services, made.merchant)
    const token = await api.token(made.secretKey)
    await setMerchantState(api.services, made.merchant.id, 'suspended')
    const { status, json } = await api.call({ method: 'POST', url, token, form: 'amount=1&currency=TRY' })
    assert.deepEqual([status, json.error_code], [403, 913])
  })
})
