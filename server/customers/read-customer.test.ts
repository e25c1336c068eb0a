import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { changeMerchant } from '../merchants/change-merchant.ts'
import { testApi } from '../testing/api.ts'
import { backendOf } from '../testing/backend.ts'

const api = await testApi({ env: { RATE_LIMIT_PER_SECOND: '0' } })
const backend = backendOf(api)
const ayse = { name: 'Ayşe', lastname: 'Işık', email: 'ayse@example.com', phone: '+905321234567' }

async function someone() {
  const { json } = await backend.json('/v1/customers', { ...ayse, metadata: { a: 1 } })
  return { customer: json, url: `/v1/customers/${json.id}` }
}

describe('200', () => {
  it('a customer is answered as its creation answered it, bare', async () => {
    const { customer, url } = await someone()
    api.clock.advance(60_000)
    const answer = await backend.get(url)
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.json, customer)
  })

  it('the timeline speaks the language asked for, and the merchant’s where none is', async () => {
    const { url } = await someone()
    const text = async (headers = {}) => (await backend.get(url, headers)).json.timeline[0].text
    assert.equal(await text({ 'accept-language': 'en' }), 'The customer was created.')
    assert.equal(await text({ 'accept-language': 'tr' }), 'Müşteri oluşturuldu.')
    assert.equal(await text(), 'Müşteri oluşturuldu.')
  })

  it('times follow the merchant’s time zone when it changes', async () => {
    const { customer, url } = await someone()
    await changeMerchant(api.services, { merchant: api.merchant.id, time_zone: 'Asia/Kathmandu' })
    const { json } = await backend.get(url)
    await changeMerchant(api.services, { merchant: api.merchant.id, time_zone: 'Europe/Istanbul' })
    assert.match(json.created_at, /\+05:45$/)
    assert.equal(Date.parse(json.created_at), Date.parse(customer.created_at))
    assert.match(json.timeline[0].date, /^15\.11\.2026 12:1\d$/)
    assert.equal(json.formatted_created_at, json.timeline[0].date)
  })
})

describe('401', () => {
  it('without a token nobody is shown', async () => {
    const answer = await api.call({ url: (await someone()).url })
    assert.deepEqual([answer.status, answer.json.error_code], [401, 910])
  })
})

describe('403', () => {
  it('a token made from a public key shows nobody', async () => {
    const answer = await api.call({ url: (await someone()).url, token: await api.token(api.publicKey) })
    assert.deepEqual([answer.status, answer.json.error_code], [403, 912])
  })
})

describe('404', () => {
  it('an id of nobody, of no form, of a deleted customer and of another merchant’s answer the same', async () => {
    const deleted = await someone()
    await backend.delete(deleted.url)
    const stranger = await testApi({ database: api.database })
    const other = (await backendOf(stranger).json('/v1/customers', ayse)).json
    const paths = ['99999999999999', '1', 'x', '10000000000000000', '-5', '1.5', '%20']
    for (const url of [
      ...paths.map((id) => `/v1/customers/${id}`),
      deleted.url,
      `/v1/customers/${other.id}`,
    ]) {
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
    assert.equal((await backendOf(stranger).get(`/v1/customers/${other.id}`)).status, 200)
  })
})
