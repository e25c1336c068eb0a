import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testApi } from '../../../testing/harness/api.ts'
import { backendOf } from '../../../testing/harness/backend.ts'
import { newTestWebhook, seedDelivery } from '../../../testing/seed/delivery.ts'

const api = await testApi({ env: { RATE_LIMIT_PER_SECOND: '0' } })
const backend = backendOf(api)
const { services, merchant } = api
const webhook = await newTestWebhook(services, merchant)
const answer = 'ğ'.repeat(10_000)
const delivery = await seedDelivery(services, webhook, {
  state: 'failed',
  attempts: [{ status: 500, answer }, { status: 404 }],
})
const url = `/v1/webhooks/${webhook.id}/deliveries/${delivery}`

describe('200', () => {
  it('it is the same as in the list, but with the whole stored response', async () => {
    const { json } = await backend.get(url)
    const [listed] = (await backend.get(`/v1/webhooks/${webhook.id}/deliveries`)).json
    assert.equal(json.attempts[0].answer, answer)
    json.attempts[0].answer = answer.slice(0, 1000)
    assert.deepEqual(json, listed)
  })
})

describe('401', () => {
  it('without a token nothing is returned', async () => {
    assert.equal((await api.call({ url })).status, 401)
  })
})

describe('403', () => {
  it('a token made from a public key reads nothing', async () => {
    assert.equal((await api.call({ url, token: await api.token(api.publicKey) })).json.error_code, 912)
  })
})

describe('404', () => {
  it('an unknown delivery, one of another webhook and one of another merchant are not found', async () => {
    const shop = await testApi({ database: api.database })
    const theirs = await newTestWebhook(shop.services, shop.merchant)
    const another = await newTestWebhook(services, merchant)
    const codes = [
      backend.get(`/v1/webhooks/${webhook.id}/deliveries/99999999999999`),
      backend.get(`/v1/webhooks/${webhook.id}/deliveries/x`),
      backend.get(`/v1/webhooks/99999999999999/deliveries/${delivery}`),
      backend.get(`/v1/webhooks/${another.id}/deliveries/${delivery}`),
      backendOf(shop).get(url),
      backendOf(shop).get(`/v1/webhooks/${theirs.id}/deliveries/${delivery}`),
    ].map(async (answered) => (await answered).json.error_code)
    assert.deepEqual(await Promise.all(codes), [920, 920, 920, 920, 920, 920])
  })
})
