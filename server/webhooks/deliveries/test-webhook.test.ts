import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../../../kit/runtime/sql.ts'
import { testApi } from '../../../testing/harness/api.ts'
import { backendOf } from '../../../testing/harness/backend.ts'
import { newTestWebhook } from '../../../testing/seed/delivery.ts'

const api = await testApi({ env: { RATE_LIMIT_PER_SECOND: '0' } })
const backend = backendOf(api)
const { services, merchant } = api
const webhook = await newTestWebhook(services, merchant, { events: ['payment.failed'] })
const url = `/v1/webhooks/${webhook.id}/test`

describe('200', () => {
  it('a test is due immediately, is its own event, and is returned as a delivery, even for a disabled webhook', async () => {
    for (const status of ['enabled', 'disabled']) {
      await backend.form(`/v1/webhooks/${webhook.id}`, { status })
      const { json } = await backend.form(url, {})
      assert.deepEqual(json, {
        id: json.id,
        event_id: json.id,
        type: 'webhook.test',
        reason: 'test',
        status: 'pending',
        created_at: '2026-11-15T09:30:00+03:00',
        next_try_at: '2026-11-15T09:30:00+03:00',
        attempts: [],
      })
      const read = await backend.get(`/v1/webhooks/${webhook.id}/deliveries/${json.id}`)
      assert.deepEqual(read.json, json)
    }
  })

  it('repeated requests with the same Idempotency-Key create one test', async () => {
    const headers = { 'idempotency-key': 'once' }
    const first = await backend.form(url, {}, headers)
    assert.equal((await backend.form(url, {}, headers)).text, first.text)
  })
})

describe('401', () => {
  it('without a token nothing is sent', async () => {
    assert.equal((await api.call({ method: 'POST', url })).status, 401)
  })
})

describe('403', () => {
  it('a token made from a public key sends nothing', async () => {
    const token = await api.token(api.publicKey)
    assert.equal((await api.call({ method: 'POST', url, token })).json.error_code, 912)
  })
})

describe('404', () => {
  it('nothing is sent to another merchant’s webhook', async () => {
    const stranger = backendOf(await testApi({ database: api.database }))
    const count = () => services.sql.one(sql`select count(*) from webhook_deliveries`)
    const before = await count()
    assert.equal((await stranger.form(url, {})).json.error_code, 920)
    assert.deepEqual(await count(), before)
  })
})
