import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testApi } from '../../../testing/harness/api.ts'
import { backendOf } from '../../../testing/harness/backend.ts'
import { newTestWebhook } from '../../../testing/seed/delivery.ts'

const url = '/v1/webhooks'
const api = await testApi({ env: { RATE_LIMIT_PER_SECOND: '0' } })
const backend = backendOf(api)

describe('200', () => {
  it('a merchant without webhooks gets an empty list', async () => {
    assert.equal((await backend.get(url)).text, '[]')
  })

  it('all webhooks of the merchant are listed, the newest first, each as it is read alone', async () => {
    const shop = await testApi({ database: api.database })
    await newTestWebhook(shop.services, shop.merchant)
    const first = await newTestWebhook(api.services, api.merchant)
    // First and second have the same time; the later one comes first.
    const second = await newTestWebhook(api.services, api.merchant)
    api.clock.advance(1000)
    const third = await newTestWebhook(api.services, api.merchant)
    const { json } = await backend.get(url)
    assert.deepEqual(
      json.map(({ id }: { id: number }) => id),
      [third.id, second.id, first.id],
    )
    assert.deepEqual(json[2], (await backend.get(`${url}/${first.id}`)).json)
  })
})

describe('401', () => {
  it('without a token nothing is listed', async () => {
    assert.equal((await api.call({ url })).status, 401)
  })
})

describe('403', () => {
  it('a token made from a public key lists nothing', async () => {
    assert.equal((await api.call({ url, token: await api.token(api.publicKey) })).json.error_code, 912)
  })
})
