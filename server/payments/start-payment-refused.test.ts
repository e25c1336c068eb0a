import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../../kit/runtime/sql.ts'
import { testApi } from '../../testing/harness/api.ts'
import { backendOf } from '../../testing/harness/backend.ts'
import { createMerchant } from '../merchants/index.ts'
import { addPos } from '../pos/add-pos.ts'
import { changePos } from '../pos/change-pos.ts'
import { ensureDemoPos } from '../pos/index.ts'

// Refusals of a new payment: 901 for parameters, 902 for the total, and 991 while the clock is wrong.

const url = '/v1/payment/3ds'
const english = { 'accept-language': 'en' }
const api = await testApi({ env: { RATE_LIMIT_PER_SECOND: '0' } })
const { sql: database } = api.services
const backend = backendOf(api)
await ensureDemoPos(api.services, api.merchant)

const good = { amount: 1000, currency: 'TRY' }
const ayse = { name: 'Ayşe', lastname: 'Işık', email: 'ayse@example.com', phone: '+905321234567' }
const nobody = 99_999_999_999_999

async function productOf(more: object = {}): Promise<number> {
  return (await backend.json('/v1/products', { product_name: 'Kahve', price: 150, ...more })).json.id
}

type Errors = Record<string, string[]>

/** Errors for a payment with these fields changed; asserts that nothing is started. */
async function faults(more: object | string, code = 901): Promise<Errors> {
  const before = await database.many(sql`select id from payments order by id`)
  const answer =
    typeof more === 'string'
      ? await backend.form(url, more, english)
      : await backend.json(url, { ...good, ...more }, english)
  assert.deepEqual([answer.status, answer.json.error_code], [422, code], answer.text)
  assert.deepEqual(await database.many(sql`select id from payments order by id`), before)
  return answer.json.errors
}

/** A merchant with POS and these settings, and requests with its secret and public keys. */
async function shopWith(settings: object) {
  const made = await createMerchant(api.services, { name: 'Başka', ...settings })
  await ensureDemoPos(api.services, made.merchant)
  const send = async (key: string, json: object) =>
    api.call({
      method: 'POST',
      url,
      token: await api.token(key),
      json: { ...good, ...json },
      headers: english,
    })
  return {
    ...made,
    secret: (json: object) => send(made.secretKey, json),
    open: (json: object) => send(made.publicKey, json),
  }
}

describe('901', () => {
  it('all errors are reported together, under the names that were sent, with and without a query', async () => {
    const euros = await productOf({ currency_code: 'EUR' })
    const form = [
      `customer_id=${nobody}&amount=12.50&currency=TRY&redirect_url=ftp://shop.example&pre_auth=yes`,
      `products[0][product_name]=Kargo&products[2][price]=0&products[2][product_name]=${'x'.repeat(101)}`,
      `product_ids[1]=${nobody}&product_ids[4]=${euros}&product_ids[6]=7`,
      `metadata[0][value]=x&metadata[3][key]=a&metadata[3][value]=1&metadata[5][key]=a&metadata[5][value]=2`,
      `description=${'x'.repeat(1001)}`,
    ]
    const complaints = await faults(form.join('&'))
    assert.deepEqual(Object.keys(complaints).sort(), [
      'amount',
      'customer_id',
      'description',
      'metadata.0.key',
      'metadata.5.key',
      'pre_auth',
      'product_ids.1',
      'product_ids.4',
      'product_ids.6',
      'products.0.price',
      'products.2.price',
      'products.2.product_name',
      'redirect_url',
    ])
    assert.deepEqual(complaints['amount'], [
      'Must be a whole number in the minor unit, written with digits only: 1250 for 12.50.',
    ])
    assert.deepEqual(complaints['customer_id'], ['There is no customer with this ID.'])
    assert.deepEqual(complaints['product_ids.1'], ['There is no product with this ID.'])
    assert.deepEqual(complaints['product_ids.4'], [
      'The product’s currency is EUR, the payment’s currency is TRY; they must be the same.',
    ])
    assert.deepEqual(complaints['metadata.5.key'], ['a: Sent more than once.'])
  })

  it('an empty request lacks amount and currency, in both languages', async () => {
    assert.deepEqual(await faults(''), {
      amount: ['This field is required.'],
      currency: ['This field is required.'],
    })
    const { json } = await backend.form(url, '', { 'accept-language': 'tr' })
    assert.deepEqual(json.errors['amount'], ['Bu alan zorunludur.'])
  })

  it('a value that is not a list is refused with the format of the list, in both languages', async () => {
    const form = 'amount=1000&currency=TRY&product_ids=5&metadata={"a":1}&products=Kahve'
    assert.deepEqual(await faults(form), {
      products: ['Must be a JSON list: [{"product_name":"…","price":1000}].'],
      product_ids: ['Must be a list: product_ids[0]=… in a form, [10000000000123] in JSON.'],
      metadata: [
        'Must be a list: metadata[0][key]=…&metadata[0][value]=… in a form, [{"key":"…","value":"…"}] in JSON.',
      ],
    })
    const { json } = await backend.form(url, form, { 'accept-language': 'tr' })
    assert.deepEqual(json.errors['product_ids'], [
      'Liste olmalıdır: formda product_ids[0]=…, JSON’da [10000000000123].',
    ])
  })

  it('an id without fourteen digits is refused with its number of digits', async () => {
    for (const customer_id of [5, 'x', '1.5', '123456789012345678']) {
      assert.deepEqual(await faults({ customer_id }), { customer_id: ['Must be an ID of 14 digits.'] })
    }
  })

  for (const [about, amount] of [
    ['nothing', 0],
    ['less', -1],
    ['more than the largest', 100_000_000_000],
    ['decimals', '10.0'],
    ['an exponent', '1e3'],
    ['a leading zero', '0100'],
    ['spaces', ' 100 '],
  ] as const) {
    it(`an amount of ${about} is refused`, async () => {
      assert.deepEqual(Object.keys(await faults({ amount })), ['amount'])
    })
  }

  it('a customer must be the merchant’s own and not deleted', async () => {
    const neighbour = await shopWith({})
    const token = await api.token(neighbour.secretKey)
    const { json: theirs } = await api.call({ method: 'POST', url: '/v1/customers', token, json: ayse })
    const { json: deleted } = await backend.json('/v1/customers', ayse)
    await backend.delete(`/v1/customers/${deleted.id}`)
    for (const customer_id of [nobody, theirs.id, deleted.id]) {
      assert.deepEqual(await faults({ customer_id }), { customer_id: ['There is no customer with this ID.'] })
    }
    for (const customer_id of [5, 'me', '']) {
      if (customer_id === '') assert.equal((await backend.json(url, { ...good, customer_id })).status, 200)
      else assert.deepEqual(Object.keys(await faults({ customer_id })), ['customer_id'])
    }
  })

  it('products must be the merchant’s own, not deleted, and in the payment’s currency', async () => {
    const neighbour = await shopWith({})
    const token = await api.token(neighbour.secretKey)
    const product = { product_name: 'Kahve', price: 150 }
    const { json: theirs } = await api.call({ method: 'POST', url: '/v1/products', token, json: product })
    const [ours, deleted, dollars] = [
      await productOf(),
      await productOf(),
      await productOf({ currency_code: 'USD' }),
    ]
    await backend.delete(`/v1/products/${deleted}`)
    const complaints = await faults({
      amount: 150,
      product_ids: [ours, theirs.id, deleted, dollars, ours, nobody],
    })
    assert.deepEqual(Object.keys(complaints).sort(), [
      'product_ids.1',
      'product_ids.2',
      'product_ids.3',
      'product_ids.5',
    ])
    assert.deepEqual(complaints['product_ids.1'], complaints['product_ids.5'])
    const addsUp = await faults({ amount: 150, product_ids: [dollars] })
    assert.deepEqual(Object.keys(addsUp), ['product_ids.0'])
  })

  it('a currency must have two decimals and an active POS that takes it', async () => {
    for (const currency of ['XXX', 'JPY', 'KWD', 'TL', 'LIRA']) {
      assert.deepEqual(Object.keys(await faults({ currency })), ['currency'], currency)
    }
    assert.deepEqual(await faults({ currency: 'GBP' }), {
      currency: ['No active POS accepts this currency.'],
    })
  })

  it('a POS that is added or turned off takes effect immediately', async () => {
    const { merchant, secret } = await shopWith({})
    const status = async () => (await secret({ currency: 'GBP' })).status
    assert.equal(await status(), 422)
    const input = {
      name: 'Sterlin',
      bank: 62,
      connector: 'sandbox',
      single_rate: 10_000,
      currencies: ['GBP'],
    }
    const pos = await addPos(api.services, merchant, input, { secrets: {} })
    assert.equal(await status(), 200)
    await changePos(api.services, { pos: pos.id, state: 'refund_only' }, undefined)
    assert.equal(await status(), 422)
  })

  it('more than a hundred products in both lists together are refused', async () => {
    const products = Array.from({ length: 101 }, () => ({ product_name: 'Kargo', price: 1 }))
    assert.deepEqual(await faults({ products }), { products: ['Must contain at most 100 items.'] })
    const id = await productOf()
    const product_ids = Array.from({ length: 41 }, () => id)
    assert.deepEqual(await faults({ products: products.slice(0, 60), product_ids }), {
      product_ids: ['products and product_ids together must contain at most 100 products.'],
    })
  })

  it('metadata has at most fifty pairs with unique keys, within their limits', async () => {
    const pairs = Array.from({ length: 51 }, (_, index) => ({ key: `k${index}`, value: 'v' }))
    assert.deepEqual(await faults({ metadata: pairs }), { metadata: ['Must contain at most 50 items.'] })
    assert.equal((await backend.json(url, { ...good, metadata: pairs.slice(1) })).status, 200)
    const wrong: [object, string][] = [
      [{ value: 'v' }, 'metadata.0.key'],
      [{ key: ' ', value: 'v' }, 'metadata.0.key'],
      [{ key: 'k'.repeat(41), value: 'v' }, 'metadata.0.key'],
      [{ key: 'k' }, 'metadata.0.value'],
      [{ key: 'k', value: null }, 'metadata.0.value'],
      [{ key: 'k', value: 'v'.repeat(501) }, 'metadata.0.value'],
      [{ key: 'k', value: {} }, 'metadata.0.value'],
      [{ key: 'k', value: ['v'] }, 'metadata.0.value'],
      [{ key: 'k', value: 'a\0' }, 'metadata.0.value'],
    ]
    for (const [pair, name] of wrong) {
      assert.deepEqual(Object.keys(await faults({ metadata: [pair] })), [name], JSON.stringify(pair))
    }
    const twice = [
      { key: 'é', value: 1 },
      { key: 'b', value: 2 },
      { key: ' e\u0301', value: 3 },
    ]
    assert.deepEqual(Object.keys(await faults({ metadata: twice })), ['metadata.2.key'])
    const inText = '[{"key":"a","key":"b","value":"c"}]'
    assert.deepEqual(Object.keys(await faults({ metadata: inText })), ['metadata.0.key'])
    assert.deepEqual(Object.keys(await faults(`amount=1000&currency=TRY&metadata=${inText}`)), [
      'metadata.0.key',
    ])
  })

  it('a merchant that requires products or a customer is told which is missing', async () => {
    const needsProducts = await shopWith({ products_required: true })
    const without = await needsProducts.secret({})
    assert.deepEqual(without.json.errors, {
      products: ['Products are required for this merchant: send products or product_ids.'],
    })
    assert.equal(
      (await needsProducts.secret({ products: [{ product_name: 'Kargo', price: 1000 }] })).status,
      200,
    )
    const wrong = await needsProducts.secret({ products: [{ product_name: 'Kargo' }] })
    assert.deepEqual(Object.keys(wrong.json.errors), ['products.0.price'])
    const whiteLabel = await shopWith({ white_label: true })
    assert.deepEqual((await whiteLabel.secret({})).json.errors, { customer_id: ['This field is required.'] })
    assert.deepEqual((await whiteLabel.open({ amount: 0 })).json.errors, {
      amount: ['Must be between 1 and 99999999999.'],
      customer_id: ['This field is required.'],
    })
  })
})

describe('901 on redirect_url', () => {
  it('an address is stored in the spelling of browsers, and an invalid one is refused', async () => {
    const { json } = await backend.json(url, { ...good, redirect_url: 'HTTPS://Shop.Example/sipariş' })
    const row = await database.one<{ redirect_url: string }>(
      sql`select redirect_url from payments where id = ${json.data.transaction_id}`,
    )
    assert.equal(row.redirect_url, 'https://shop.example/sipari%C5%9F')
    const complaints = await faults({ redirect_url: 'https://shop.example/?a=1' })
    assert.deepEqual(Object.keys(complaints), ['redirect_url'])
  })

  it('a live merchant’s payers are redirected only to https', async () => {
    const live = await shopWith({ live: true, origins: ['https://shop.example'] })
    const errors = (await live.secret({ redirect_url: 'http://shop.example/' })).json.errors
    assert.deepEqual(errors, { redirect_url: ['The address of a live merchant must begin with https://.'] })
    assert.equal((await live.secret({ redirect_url: 'https://anywhere.example/' })).status, 200)
  })

  it('a public key can redirect only to the registered origins', async () => {
    const live = await shopWith({
      live: true,
      origins: ['https://shop.example', 'https://shop.example:8443'],
    })
    for (const redirect_url of ['https://shop.example/a', 'https://shop.example:8443/b', '']) {
      assert.equal((await live.open({ redirect_url })).status, 200, redirect_url)
    }
    for (const redirect_url of [
      'https://evil.example/',
      'https://shop.example:444/',
      'https://a.shop.example/',
    ]) {
      const { status, json } = await live.open({ redirect_url })
      assert.deepEqual([status, Object.keys(json.errors)], [422, ['redirect_url']], redirect_url)
    }
    const test = await shopWith({})
    assert.equal((await test.open({ redirect_url: 'https://anywhere.example/' })).status, 200)
  })
})

describe('902', () => {
  it('products with a lower or higher total are refused, with both totals in both languages', async () => {
    for (const price of [999, 1001]) {
      const total = (price / 100).toFixed(2)
      assert.deepEqual(await faults({ products: [{ product_name: 'Kargo', price }] }, 902), {
        amount: [`The products add up to ${total} TRY, but the amount is 10.00 TRY; they must be equal.`],
      })
    }
    const { json } = await backend.json(url, { ...good, products: [{ product_name: 'Kargo', price: 999 }] })
    assert.equal(json.message, 'Ürünlerin toplamı ödeme tutarından farklı.')
    assert.deepEqual(json.errors.amount, [
      'Ürünlerin toplamı 9,99 TRY, ödeme tutarı 10,00 TRY; ikisi eşit olmalıdır.',
    ])
  })

  it('registered products count as often as they are named, together with the others, with and without a customer', async () => {
    const id = await productOf()
    const { json: customer } = await backend.json('/v1/customers', ayse)
    const products = [{ product_name: 'Kargo', price: 1000 }]
    for (const more of [{}, { customer_id: customer.id }]) {
      assert.deepEqual(await faults({ product_ids: [id, id], products, ...more }, 902), {
        amount: ['The products add up to 13.00 TRY, but the amount is 10.00 TRY; they must be equal.'],
      })
      const right = { ...good, amount: 1300, product_ids: [id, id], products, ...more }
      assert.equal((await backend.json(url, right)).status, 200)
    }
    assert.deepEqual(
      await faults({ products: [{ product_name: 'Kargo', price: 1 }], customer_id: customer.id }, 902),
      {
        amount: ['The products add up to 0.01 TRY, but the amount is 10.00 TRY; they must be equal.'],
      },
    )
  })

  it('the largest products add up without losing a minor unit', async () => {
    const products = Array.from({ length: 100 }, () => ({ product_name: 'Altın', price: 99_999_999_999 }))
    const complaints = await faults({ products }, 902)
    assert.match(complaints['amount']?.[0] ?? '', /add up to 99999999999\.00 TRY/)
  })

  it('an invalid parameter is reported before a wrong total', async () => {
    const products = [{ product_name: 'Kargo', price: 1 }]
    assert.deepEqual(Object.keys(await faults({ products, customer_id: nobody })), ['customer_id'])
    assert.deepEqual(Object.keys(await faults({ products, currency: 'GBP' })), ['currency'])
  })
})

describe('991', () => {
  const stopped = { monotonicMs: () => 0, sleep: async () => undefined, startTimer: () => () => undefined }

  it('no payment starts while the clock is wrong, and the idempotency key stays free', async (t) => {
    const { services } = api
    const { clock } = services
    const before = await database.many(sql`select id from payments order by id`)
    t.after(() => {
      services.clock = clock
    })
    for (const fault of ['doubted', 'wrong', 'leapt', 'unmeasured'] as const) {
      services.clock = { ...stopped, now: () => clock.now(), fault }
      for (const headers of [english, { ...english, 'idempotency-key': 'while the clock is wrong' }]) {
        const { status, json, headers: responseHeaders } = await backend.json(url, good, headers)
        assert.deepEqual([status, json.error_code, responseHeaders['retry-after']], [503, 991, '2'], fault)
      }
    }
    assert.deepEqual(await database.many(sql`select id from payments order by id`), before)
    services.clock = clock
    const { status } = await backend.json(url, good, { 'idempotency-key': 'while the clock is wrong' })
    assert.equal(status, 200)
  })

  it('only health is answered until a reliable time is known', async (t) => {
    const { services } = api
    const { clock } = services
    const token = await api.token()
    services.clock = { ...stopped, now: () => clock.now(), fault: 'unconfirmed', isUnconfirmed: true }
    t.after(() => {
      services.clock = clock
    })
    const { status, json } = await api.call({ url: '/v1/pos/balance', token })
    assert.deepEqual([status, json.error_code], [503, 991])
    assert.equal((await api.call({ url: '/livez' })).status, 200)
  })
})
