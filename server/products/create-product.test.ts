import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../kit/sql.ts'
import { changeMerchant } from '../merchants/change-merchant.ts'
import { testApi } from '../testing/api.ts'
import { backendOf } from '../testing/backend.ts'

const url = '/v1/products'
const english = { 'accept-language': 'en' }
const api = await testApi({ env: { RATE_LIMIT_PER_SECOND: '0' } })
const backend = backendOf(api)
const coffee = { product_name: 'Türk kahvesi', price: 18990 }

async function created(more: object) {
  const answer = await backend.json(url, { ...coffee, ...more })
  assert.equal(answer.status, 200, answer.text)
  return answer.json
}

/** The faults of a product with these fields instead of good ones. */
async function faults(more: object): Promise<Record<string, string[]>> {
  const answer = await backend.json(url, { ...coffee, ...more }, english)
  assert.equal(answer.status, 422, answer.text)
  assert.equal(answer.json.error_code, 901)
  return answer.json.errors
}

describe('200', () => {
  it('a product with every field is answered bare, to the letter of the contract', async () => {
    const answer = await backend.form(url, {
      product_name: 'Türk kahvesi, 250 g',
      price: '1234567',
      currency_code: 'USD',
      description: 'Taze çekilmiş.',
      metadata: '{"sku":1001}',
    })
    assert.equal(answer.status, 200)
    const { id, ...rest } = answer.json
    assert.match(String(id), /^\d{14}$/)
    const now = '2026-11-15T09:30:00+03:00'
    assert.deepEqual(rest, {
      merchant_id: api.merchant.id,
      product_name: 'Türk kahvesi, 250 g',
      price: 1234567,
      currency_code: 'USD',
      quantity: 1,
      description: 'Taze çekilmiş.',
      product_image: null,
      created_at: now,
      updated_at: now,
      formatted_price: '12345,67',
      formatted_created_at: '15.11.2026 09:30',
      system_id: 1,
      metadata: [
        {
          merchant_id: String(api.merchant.id),
          key: 'sku',
          value: '1001',
          created_at: now,
          updated_at: now,
        },
      ],
      timeline: [
        {
          type: 'created',
          order: 1,
          text: 'Ürün oluşturuldu.',
          date: '15.11.2026 09:30',
          icon: 'icon-plus',
        },
      ],
    })
  })

  it('name and price are enough: the currency is the merchant’s, the rest is null or empty', async () => {
    const { json } = await backend.form(url, { product_name: 'Çay', price: '1' })
    const { currency_code, description, product_image, metadata, quantity, system_id } = json
    assert.deepEqual([currency_code, quantity, system_id], ['TRY', 1, 1])
    assert.deepEqual([description, product_image, metadata], [null, null, []])
    const abroad = await testApi()
    await changeMerchant(abroad.services, { merchant: abroad.merchant.id, currency: 'EUR' })
    assert.equal((await backendOf(abroad).json(url, coffee)).json.currency_code, 'EUR')
  })

  it('JSON, form and blank optional fields mean the same', async () => {
    const form = { product_name: 'Çay', price: '500', currency_code: ' ', description: '', metadata: '' }
    const asForm = (await backend.form(url, form)).json
    const asJson = (await backend.json(url, { product_name: 'Çay', price: 500, description: null })).json
    assert.deepEqual({ ...asJson, id: 0 }, { ...asForm, id: 0 })
  })

  it('the smallest and the largest price are exact, and shown with a comma', async () => {
    const shown = async (price: number) => {
      const made = await created({ price })
      return [made.price, made.formatted_price]
    }
    assert.deepEqual(await shown(1), [1, '0,01'])
    assert.deepEqual(await shown(1000), [1000, '10,00'])
    assert.deepEqual(await shown(99_999_999_999), [99_999_999_999, '999999999,99'])
  })

  it('a currency is taken in either case and answered in capitals', async () => {
    assert.equal((await created({ currency_code: 'usd' })).currency_code, 'USD')
  })

  it('text is trimmed, composed, and fits its limit by what people count as characters', async () => {
    const made = await created({ product_name: ` ${'😀'.repeat(100)} `, description: 'ş'.repeat(1000) })
    assert.equal(made.product_name, '😀'.repeat(100))
    assert.equal(made.description, 'ş'.repeat(1000))
    assert.equal((await created({ product_name: 'c\u0327ay' })).product_name, 'çay')
  })

  it('what is not asked for is ignored', async () => {
    const made = await created({ id: 1, merchant_id: 2, quantity: 7, system_id: 3, product_image: 'x' })
    assert.deepEqual([made.quantity, made.system_id, made.product_image], [1, 1, null])
    assert.equal(made.merchant_id, api.merchant.id)
  })

  it('metadata comes as an object, as JSON in a text or by bracketed keys, and is text afterwards', async () => {
    const values = ({ metadata }: { metadata: Record<string, string>[] }) =>
      metadata.map(({ key, value }) => [key, value])
    const wanted = [
      ['sku', 'A-1'],
      ['vip', 'true'],
    ]
    assert.deepEqual(values(await created({ metadata: { sku: 'A-1', vip: true } })), wanted)
    assert.deepEqual(values(await created({ metadata: '{"sku":"A-1","vip":true}' })), wanted)
    const form = 'product_name=a&price=1&metadata[sku]=A-1&metadata[vip]=true'
    assert.deepEqual(values((await backend.form(url, form)).json), wanted)
    const exact = { product_name: 'a', price: '1', metadata: '{"a":1.50,"b":1e3}' }
    assert.deepEqual(values((await backend.form(url, exact)).json), [
      ['a', '1.50'],
      ['b', '1e3'],
    ])
  })

  it('texts and times are in the language asked for and in the merchant’s time zone', async () => {
    const newYork = await testApi()
    await changeMerchant(newYork.services, { merchant: newYork.merchant.id, time_zone: 'America/New_York' })
    const { json } = await backendOf(newYork).json(url, coffee, english)
    assert.equal(json.created_at, '2026-11-15T01:30:00-05:00')
    assert.deepEqual(
      [json.formatted_created_at, json.timeline[0].date, json.timeline[0].text],
      ['15.11.2026 01:30', '15.11.2026 01:30', 'The product was created.'],
    )
  })

  it('an Idempotency-Key makes one product, however often it is sent', async () => {
    const send = () =>
      backend.json(url, { ...coffee, product_name: 'Once' }, { 'idempotency-key': 'one product' })
    const [first, second] = [await send(), await send()]
    assert.equal(second.text, first.text)
    assert.equal(second.headers['idempotency-replayed'], 'true')
    const rows = await api.services.sql.many(sql`select id from products where product_name = 'Once'`)
    assert.equal(rows.length, 1)
  })
})

describe('401', () => {
  it('without a token nothing is registered', async () => {
    const answer = await api.call({ method: 'POST', url, json: { ...coffee, product_name: 'Nothing' } })
    assert.deepEqual([answer.status, answer.json.error_code], [401, 910])
    const rows = await api.services.sql.many(sql`select id from products where product_name = 'Nothing'`)
    assert.equal(rows.length, 0)
  })
})

describe('403', () => {
  it('a token made from a public key registers nothing', async () => {
    const answer = await api.call({
      method: 'POST',
      url,
      token: await api.token(api.publicKey),
      json: coffee,
    })
    assert.deepEqual([answer.status, answer.json.error_code], [403, 912])
  })
})

describe('422', () => {
  it('name and price are required, and everything that is wrong is named at once', async () => {
    const answer = await backend.form(url, {
      currency_code: 'JPY',
      metadata: '[',
      description: 'x'.repeat(1001),
    })
    assert.deepEqual([answer.status, answer.json.error_code], [422, 901])
    assert.deepEqual(Object.keys(answer.json.errors), [
      'product_name',
      'price',
      'currency_code',
      'description',
      'metadata',
    ])
    assert.deepEqual(answer.json.errors.product_name, ['Bu alan zorunludur.'])
    for (const value of ['', ' ', null]) {
      assert.deepEqual(await faults({ product_name: value }), { product_name: ['This field is required.'] })
      assert.deepEqual(await faults({ price: value }), { price: ['This field is required.'] })
    }
  })

  it('a price is a whole number of the minor unit, in digits alone, from 1 to 99999999999', async () => {
    const digits = { price: ['Must be a whole number of minor units, in digits alone: 1250 for 12.50.'] }
    for (const price of ['12.0', '1e3', ' 12 ', '+12', '012', '12,50', 'on', 1.5, true]) {
      assert.deepEqual(await faults({ price }), digits, String(price))
    }
    for (const price of [0, -1, 100_000_000_000, '0', '-5', '9'.repeat(30)]) {
      assert.deepEqual(await faults({ price }), { price: ['Must be between 1 and 99999999999.'] })
    }
    const body = '{"product_name":"a","price":10.0}'
    const headers = { 'content-type': 'application/json', ...english }
    assert.deepEqual((await backend.send({ method: 'POST', url, body, headers })).json.errors, digits)
  })

  it('a currency is one of ISO 4217 with two decimal digits', async () => {
    for (const currency_code of ['JPY', 'KWD', 'TRL', 'XAU', 'TL', 'AAA', '₺', 'ßP']) {
      assert.match(String((await faults({ currency_code }))['currency_code']), /ISO 4217/, currency_code)
    }
  })

  it('metadata that is a list of a form is none; an empty list, as some languages write an empty object, is', async () => {
    for (const metadata of ['metadata[0]=a&metadata[1]=b', 'metadata[]=a', 'metadata=a&metadata=b']) {
      const answer = await backend.send({ method: 'POST', url, form: `product_name=a&price=1&${metadata}` })
      assert.deepEqual(Object.keys(answer.json.errors), ['metadata'], metadata)
    }
    assert.deepEqual((await created({ metadata: [] })).metadata, [])
    assert.deepEqual((await created({ metadata: '[]' })).metadata, [])
  })

  it('what is over its limit is refused, never cut', async () => {
    assert.deepEqual(await faults({ product_name: 'x'.repeat(101), description: 'x'.repeat(1001) }), {
      product_name: ['May be at most 100 characters long.'],
      description: ['May be at most 1000 characters long.'],
    })
  })

  it('every fault in the metadata is one of metadata', async () => {
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`k${index}`, '1']))
    const wrong = [
      many,
      { ['k'.repeat(41)]: '1' },
      { a: 'v'.repeat(501) },
      { '': '1' },
      { a: null },
      { a: {} },
      ['a'],
      'x',
    ]
    for (const metadata of wrong) assert.deepEqual(Object.keys(await faults({ metadata })), ['metadata'])
  })
})
