import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../kit/sql.ts'
import { testApi } from '../testing/api.ts'
import { backendOf } from '../testing/backend.ts'

const api = await testApi({ env: { RATE_LIMIT_PER_SECOND: '0' } })
const backend = backendOf(api)
const ayse = { name: 'Ayşe', lastname: 'Işık', email: 'ayse@example.com', phone: '+905321234567' }

async function someone(more: object = {}) {
  const { json } = await backend.json('/v1/customers', { ...ayse, ...more })
  return { customer: json, url: `/v1/customers/${json.id}` }
}

describe('200', () => {
  it('a deleted customer is answered by the envelope without data, and is gone to everyone who asks', async () => {
    const { customer, url } = await someone({ lastname: 'Silinecek' })
    const answer = await backend.delete(url, { 'accept-language': 'en' })
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.json, {
      status: true,
      message: 'The customer was deleted.',
      errors: [],
      error_code: null,
      data: null,
    })
    assert.equal((await backend.get(url)).json.error_code, 920)
    assert.equal((await backend.form(url, { name: 'X' })).json.error_code, 920)
    assert.equal((await backend.delete(url)).json.error_code, 920)
    for (const query of ['lastname=silinecek', 'q=silinecek', 'per_page=100']) {
      const found = await backend.get(`/v1/customers/search?${query}`)
      assert.ok(!found.json.some(({ id }: { id: number }) => id === customer.id), query)
    }
  })

  it('what payments may point at stays in the database, without the words that it was found by', async () => {
    const { customer, url } = await someone()
    await backend.delete(url)
    const row = sql`select name, words::text, deleted_at from customers where id = ${customer.id}`
    assert.deepEqual(await api.services.sql.one(row), {
      name: 'Ayşe',
      words: '',
      deleted_at: api.clock.now(),
    })
  })

  it('nobody else is deleted with it', async () => {
    const [one, other] = [await someone(), await someone()]
    await backend.delete(one.url)
    assert.deepEqual((await backend.get(other.url)).json, other.customer)
  })

  it('an Idempotency-Key answers the same again, although there is nothing left to delete', async () => {
    const { url } = await someone()
    const headers = { 'idempotency-key': `delete ${url}` }
    const [first, second] = [await backend.delete(url, headers), await backend.delete(url, headers)]
    assert.deepEqual([second.status, second.text], [200, first.text])
    assert.equal(second.headers['idempotency-replayed'], 'true')
    assert.equal((await backend.delete(url)).status, 404)
  })

  it('of two at the same moment one deletes', async () => {
    const { url } = await someone()
    const answers = await Promise.all([backend.delete(url), backend.delete(url), backend.delete(url)])
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 404, 404])
  })
})

describe('401', () => {
  it('without a token nothing is deleted', async () => {
    const { url } = await someone()
    const answer = await api.call({ method: 'DELETE', url })
    assert.deepEqual([answer.status, answer.json.error_code], [401, 910])
    assert.equal((await backend.get(url)).status, 200)
  })
})

describe('403', () => {
  it('a token made from a public key deletes nothing', async () => {
    const { url } = await someone()
    const answer = await api.call({ method: 'DELETE', url, token: await api.token(api.publicKey) })
    assert.deepEqual([answer.status, answer.json.error_code], [403, 912])
    assert.equal((await backend.get(url)).status, 200)
  })
})

describe('404', () => {
  it('an id of nobody, of no form and of another merchant’s customer deletes nothing', async () => {
    const stranger = await testApi({ database: api.database })
    const other = `/v1/customers/${(await backendOf(stranger).json('/v1/customers', ayse)).json.id}`
    for (const url of ['/v1/customers/99999999999999', '/v1/customers/1', '/v1/customers/x', other]) {
      const { status, json } = await backend.delete(url)
      assert.deepEqual([status, json.error_code], [404, 920], url)
    }
    assert.equal((await backendOf(stranger).get(other)).status, 200)
  })
})
