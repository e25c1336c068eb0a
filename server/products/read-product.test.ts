import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { changeMerchant } from '../merchants/change-merchant.ts'
import { testApi } from '../testing/api.ts'
import { backendOf } from '../testing/backend.ts'

const api = await testApi({ env: { RATE_LIMIT_PER_SECOND: '0' } })
const backend = backendOf(api)
const coffee = { product_name: 'Türk kahvesi', price: 18990 }

async function something() {
  const { json } = await backend.json('/v1/products', { ...coffee, metadata: { a: 1 } })
  return { product: json, url: `/v1/products/${json.id}` }
}

describe('200', () => {
  it('a product is answered as its creation answered it, bare', async () => {
    const { product, url } = await something()
    api.clock.advance(60_000)
    const answer = await backend.get(url)
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.json, product)
  })

  it('the timeline speaks the language asked for, and the merchant’s where none is', async () => {
    const { url } = await something()
    const text = async (headers = {}) => (await backend.get(url, headers)).json.timeline[0].text
    assert.equal(await text({ 'accept-language': 'en' }), 'The product was created.')
    assert.equal(await text({ 'accept-language': 'tr' }), 'Ürün oluşturuldu.')
    assert.equal(await text(), 'Ürün oluşturuldu.')
  })

  it('times follow the merchant’s time zone when it changes', async () => {
    const { product, url } = await something()
    await changeMerchant(api.services, { merchant: api.merchant.id, time_zone: 'Asia/Kathmandu' })
    const { json } = await backend.get(url)
    await changeMerchant(api.services, { merchant: api.merchant.id, time_zone: 'Europe/Istanbul' })
    assert.match(json.created_at, /\+05:45$/)
    assert.equal(Date.parse(json.created_at), Date.parse(product.created_at))
    assert.match(json.timeline[0].date, /^15\.11\.2026 12:1\d$/)
    assert.equal(json.formatted_created_at, json.timeline[0].date)
  })
})

describe('401', () => {
  it('without a token nothing is shown', async () => {
    const answer = await api.call({ url: (await something()).url })
    assert.deepEqual([answer.status, answer.json.error_code], [401, 910])
  })
})

describe('403', () => {
  it('a token made from a public key shows nothing', async () => {
    const answer = await api.call({ url: (await something()).url, token: await api.token(api.publicKey) })
    assert.deepEqual([answer.status, answer.json.error_code], [403, 912])
  })
})

describe('404', () => {
  it('an id of nothing, of no form, of a deleted product and of another merchant’s answer the same', async () => {
    const deleted = await something()
    await backend.delete(deleted.url)
    const stranger = await testApi({ database: api.database })
    const other = (await backendOf(stranger).json('/v1/products', coffee)).json
    const paths = ['99999999999999', '1', 'x', '10000000000000000', '-5', '1.5', '%20']
    for (const url of [...paths.map((id) => `/v1/products/${id}`), deleted.url, `/v1/products/${other.id}`]) {
      const { status, json } = await backend.get(url, { 'accept-language': 'en' })
      assert.equal(status, 404, url)
      assert.deepEqual(json, {
        status: false,
        message: 'There is no such resource.',
        errors: [],
        error_code: 920,
        data: null,
      })
    }
    assert.equal((await backendOf(stranger).get(`/v1/products/${other.id}`)).status, 200)
  })
})
