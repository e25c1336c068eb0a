import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../kit/sql.ts'
import { testApi } from '../testing/api.ts'
import { backendOf } from '../testing/backend.ts'
import { someoneWaitsForALock } from '../testing/database.ts'
import { productForChange } from './store.ts'

const english = { 'accept-language': 'en' }
const api = await testApi({ env: { RATE_LIMIT_PER_SECOND: '0' } })
const backend = backendOf(api)

const whole = {
  product_name: 'Türk kahvesi',
  price: 18990,
  currency_code: 'TRY',
  description: 'Taze çekilmiş.',
  metadata: { sku: 'A-1', vip: true },
}

async function something(more: object = {}) {
  const { json } = await backend.json('/v1/products', { ...whole, ...more })
  return { product: json, url: `/v1/products/${json.id}` }
}

describe('200', () => {
  it('only what is given changes, and the whole product is answered', async () => {
    const { product, url } = await something()
    api.clock.advance(60_000)
    const { status, json } = await backend.form(url, { price: '1000' }, english)
    assert.equal(status, 200)
    assert.deepEqual(json, {
      ...product,
      price: 1000,
      formatted_price: '10,00',
      updated_at: json.updated_at,
      timeline: json.timeline,
    })
    assert.equal(Date.parse(json.updated_at) - Date.parse(product.updated_at), 60_000)
    assert.deepEqual(
      json.timeline.map(({ type, order, text }: Record<string, unknown>) => [type, order, text]),
      [
        ['created', 1, 'The product was created.'],
        ['updated', 2, 'The product was updated.'],
      ],
    )
    assert.deepEqual((await backend.get(url, english)).json, json)
  })

  it('every field can be changed', async () => {
    const { url } = await something()
    const changes = { product_name: 'Çay', price: 500, currency_code: 'EUR', description: 'Demli.' }
    for (const [name, value] of Object.entries(changes)) {
      assert.equal((await backend.json(url, { [name]: value })).json[name], value)
    }
    const { json } = await backend.get(url)
    for (const [name, value] of Object.entries(changes)) assert.equal(json[name], value)
    assert.equal(json.timeline.length, 5)
  })

  it('description and metadata that are sent empty are cleared: in a form, as blank text, as null', async () => {
    for (const name of ['description', 'metadata']) {
      const empty = name === 'metadata' ? [] : null
      const [one, two, three] = [await something(), await something(), await something()]
      assert.deepEqual((await backend.form(one.url, { [name]: '' })).json[name], empty)
      assert.deepEqual((await backend.json(two.url, { [name]: ' ' })).json[name], empty)
      assert.deepEqual((await backend.json(three.url, { [name]: null })).json[name], empty)
    }
  })

  it('metadata that is given replaces all of it; unchanged pairs keep their times', async () => {
    const { product, url } = await something()
    api.clock.advance(60_000)
    const { json } = await backend.json(url, { metadata: { vip: true, sku: 'A-2' } })
    const [sku, vip] = product.metadata
    assert.deepEqual(json.metadata, [vip, { ...sku, value: 'A-2', updated_at: json.updated_at }])
    assert.deepEqual((await backend.json(url, { metadata: {} })).json.metadata, [])
  })

  it('a change of nothing leaves no trace, in the answer or in the row', async () => {
    const { product, url } = await something()
    const row = sql`select products::text as text, xmin::text from products where id = ${product.id}`
    const before = await api.services.sql.one(row)
    api.clock.advance(60_000)
    for (const nothing of [{}, whole, { currency_code: 'try' }, { quantity: 9, product_image: 'x' }]) {
      assert.deepEqual((await backend.json(url, nothing)).json, product)
    }
    assert.deepEqual(await api.services.sql.one(row), before)
  })

  it('what was changed is found by its new words, price and currency, and no longer by the old ones', async () => {
    const { product, url } = await something({ product_name: 'Eskiad', price: 777 })
    await backend.json(url, { product_name: 'Yeniad', price: 888, currency_code: 'CHF' })
    const found = async (query: string) =>
      (await backend.get(`/v1/products/search?${query}`)).json.map(({ id }: { id: number }) => id)
    for (const query of ['product_name=yeniad', 'price=888', 'currency_code=CHF']) {
      assert.deepEqual(await found(query), [product.id], query)
    }
    for (const query of ['product_name=eskiad', 'price=777']) assert.deepEqual(await found(query), [], query)
  })

  it('changes of different fields at the same moment all survive', async () => {
    const { url } = await something()
    const changes = { product_name: 'Çay', price: 500, currency_code: 'EUR', description: 'Demli.' }
    await Promise.all(Object.entries(changes).map(([name, value]) => backend.json(url, { [name]: value })))
    const { json } = await backend.get(url)
    for (const [name, value] of Object.entries(changes)) assert.equal(json[name], value)
    const orders = json.timeline.map(({ order }: { order: number }) => order)
    assert.deepEqual(orders, [1, 2, 3, 4, 5])
  })

  it('a change waits for one that is under way, and builds on it', async () => {
    const { product, url } = await something()
    const { sql: database } = api.services
    const waiting = await database.transaction(async (transaction) => {
      await productForChange(transaction, api.merchant.id, product.id)
      const late = backend.json(url, { price: 5 })
      await someoneWaitsForALock(database)
      await transaction.run(sql`update products set description = 'Arada' where id = ${product.id}`)
      return { late }
    })
    const { json } = await waiting.late
    assert.deepEqual([json.description, json.price], ['Arada', 5])
  })

  it('an Idempotency-Key changes once, and answers what it answered then', async () => {
    const { url } = await something()
    const headers = { 'idempotency-key': `change ${url}` }
    const first = await backend.json(url, { price: 1 }, headers)
    await backend.json(url, { price: 2 })
    const again = await backend.json(url, { price: 1 }, headers)
    assert.equal(again.text, first.text)
    assert.equal(again.headers['idempotency-replayed'], 'true')
    assert.equal((await backend.get(url)).json.price, 2)
  })
})

describe('401', () => {
  it('without a token nothing is changed', async () => {
    const { product, url } = await something()
    const answer = await api.call({ method: 'POST', url, json: { price: 1 } })
    assert.deepEqual([answer.status, answer.json.error_code], [401, 910])
    assert.deepEqual((await backend.get(url)).json, product)
  })
})

describe('403', () => {
  it('a token made from a public key changes nothing', async () => {
    const { product, url } = await something()
    const token = await api.token(api.publicKey)
    const answer = await api.call({ method: 'POST', url, token, json: { price: 1 } })
    assert.deepEqual([answer.status, answer.json.error_code], [403, 912])
    assert.deepEqual((await backend.get(url)).json, product)
  })
})

describe('404', () => {
  it('an id of nothing, of no form, of a deleted product and of another merchant’s are all the same', async () => {
    const deleted = await something()
    await backend.delete(deleted.url)
    const stranger = await testApi({ database: api.database })
    const other = `/v1/products/${(await backendOf(stranger).json('/v1/products', whole)).json.id}`
    const paths = ['99999999999999', '1', 'x', '10000000000000000', '-5']
    for (const url of [...paths.map((id) => `/v1/products/${id}`), deleted.url, other]) {
      const answer = await backend.json(url, { price: 1 })
      assert.deepEqual([answer.status, answer.json.error_code], [404, 920], url)
    }
    assert.equal((await backendOf(stranger).get(other)).json.price, whole.price)
  })
})

describe('422', () => {
  it('what a product must have cannot be cleared', async () => {
    const { product, url } = await something()
    for (const name of ['product_name', 'price', 'currency_code']) {
      const refused = { [name]: ['This field cannot be empty.'] }
      assert.deepEqual((await backend.form(url, { [name]: '' }, english)).json.errors, refused)
      assert.deepEqual((await backend.json(url, { [name]: ' ' }, english)).json.errors, refused)
      assert.deepEqual((await backend.json(url, { [name]: null }, english)).json.errors, refused)
    }
    assert.deepEqual((await backend.get(url)).json, product)
  })

  it('the rules are those of creation, all faults are named at once, and nothing is changed', async () => {
    const { product, url } = await something()
    const { status, json } = await backend.json(url, {
      product_name: 'x'.repeat(101),
      price: '12.0',
      currency_code: 'JPY',
      description: 'x'.repeat(1001),
      metadata: { a: null },
    })
    assert.equal(status, 422)
    const names = ['product_name', 'price', 'currency_code', 'description', 'metadata']
    assert.deepEqual(Object.keys(json.errors), names)
    assert.deepEqual((await backend.get(url)).json, product)
  })
})
