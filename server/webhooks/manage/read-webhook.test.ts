import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testApi } from '../../../testing/harness/api.ts'
import { backendOf } from '../../../testing/harness/backend.ts'
import { newTestWebhook } from '../../../testing/seed/delivery.ts'

const api = await testApi({ env: { RATE_LIMIT_PER_SECOND: '0' } })
const backend = backendOf(api)
const webhook = await newTestWebhook(api.services, api.merchant, { events: ['payment.failed'] })
const url = `/v1/webhooks/${webhook.id}`

describe('200', () => {
  it('it is returned without an envelope and without a secret', async () => {
    assert.deepEqual((await backend.get(url)).json, {
      id: webhook.id,
      url: 'https://shop.example/webhooks',
      events: ['payment.failed'],
      description: null,
      status: 'enabled',
      created_at: '2026-11-15T09:30:00+03:00',
      updated_at: '2026-11-15T09:30:00+03:00',
    })
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
  it('another merchant’s webhook is not found', async () => {
    const stranger = backendOf(await testApi({ database: api.database }))
    assert.equal((await stranger.get(url)).json.error_code, 920)
  })
})
