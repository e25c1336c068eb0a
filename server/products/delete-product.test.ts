import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../kit/sql.ts'
import { testApi } from '../testing/api.ts'
import { backendOf } from '../testing/backend.ts'

const api = await testApi({ env: { RATE_LIMIT_PER_SECOND: '0' } })
const backend = backendOf(api)
const coffee = { product_name: 'Türk kahvesi', price: 18990 }

async function something(more: object = {}) {
  const { json } = await backend.json('/v1/products', { ...coffee, ...more })
  return { product: json, url: `/v1/products/${json.id}` }
}

describe('200', () => {
  it('a deleted product is answered by the envelope without data, and is gone to everyone who asks', async () => {
    const { product, url } = await something({ product_name: 'Silinecek' })
    const answer = await backend.delete(url, { 'accept-language': 'en' })
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.json, {
      status: true,
      message: 'The product was deleted.',
      errors: [],
      error_code: null,
      data: null,
    })
    assert.equal((await backend.get(url)).json.error_code, 920)
    assert.equal((await backend.form(url, { product_name: 'X' })).json.error_code, 920)
    assert.equal((await backend.delete(url)).json.error_code, 920)
    for (const query of ['product_name=silinecek', 'q=silinecek', 'per_page=100']) {
      const found = await backend.get(`/v1/products/search?${query}`)
      assert.ok(!found.json.some(({ id }: { id: number }) => id === product.id), query)
    }
  })

  it('what payments may point at stays in the database, without the words that it was found by', async () => {
    const { product, url } = await something()
    await backend.delete(url)
    const row = sql`select product_name, words::text, deleted_at from products where id = ${product.id}`
    assert.deepEqual(await api.services.sql.one(row), {
      product_name: 'Türk kahvesi',
      words: '',
      deleted_at: api.clock.now(),
    })
  })

  it('nothing else is deleted with it', async () => {
    const [one, other] = [await something(), await something()]
    await backend.delete(one.url)
    assert.deepEqual((await backend.get(other.url)).json, other.product)
  })

  it('an Idempotency-Key answers the same again, although there is nothing left to delete', async () => {
    const { url } = await something()
    const headers = { 'idempotency-key': `delete ${url}` }
    const [first, second] = [await backend.delete(url, headers), await backend.delete(url, headers)]
    assert.deepEqual([second.status, second.text], [200, first.text])
    assert.equal(second.headers['idempotency-replayed'], 'true')
    assert.equal((await backend.delete(url)).status, 404)
  })

  it('of two at the same moment one deletes', async () => {
    const { url } = await something()
    const answers = await Promise.all([backend.delete(url), backend.delete(url), backend.delete(url)])
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 404, 404])
  })
})

describe('401', () => {
  it('without a token nothing is deleted', async () => {
    const { url } = await something()
    const answer = await api.call({ method: 'DELETE', url })
    assert.deepEqual([answer.status, answer.json.error_code], [401, 910])
    assert.equal((await backend.get(url)).status, 200)
  })
})

describe('403', () => {
  it('a token made from a public key deletes nothing', async () => {
    const { url } = await something()
    const answer = await api.call({ method: 'DELETE', url, token: await api.token(api.publicKey) })
    assert.deepEqual([answer.status, answer.json.error_code], [403, 912])
    assert.equal((await backend.get(url)).status, 200)
  })
})

describe('404', () => {
  it('an id of nothing, of no form and of another merchant’s product deletes nothing', async () => {
    const stranger = await testApi({ database: api.database })
    const other = `/v1/products/${(await backendOf(stranger).json('/v1/products', coffee)).json.id}`
    for (const url of ['/v1/products/99999999999999', '/v1/products/1', '/v1/products/x', other]) {
      const { status, json } = await backend.delete(url)
      assert.deepEqual([status, json.error_code], [404, 920], url)
    }
    assert.equal((await backendOf(stranger).get(other)).status, 200)
  })
})
