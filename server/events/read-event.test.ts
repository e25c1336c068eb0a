import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testApi } from '../../testing/harness/api.ts'
import { backendOf } from '../../testing/harness/backend.ts'
import { assignAllPositions } from '../../testing/seed/assign-all-positions.ts'
import { seedEvent, seedPayment } from '../../testing/seed/payment.ts'

const api = await testApi()
const backend = backendOf(api)
const { services, merchant } = api

const expired = await seedPayment(services, merchant, { state: 'expired' })
const [positioned] = await assignAllPositions(services.sql, merchant)
const url = `/v1/events/${positioned?.id}`

describe('200', () => {
  it('an event is read by its id, with the same fields as in the list', async () => {
    const { status, text, json } = await backend.get(url)
    assert.deepEqual([status, json.type, json.transaction_id], [200, 'payment.expired', expired.id])
    assert.equal(`[${text}]`, (await backend.get('/v1/events')).text)
  })

  it('times are in the merchant’s time zone', async () => {
    assert.equal((await backend.get(url)).json.timestamp, '2026-11-15T09:31:00+03:00')
  })
})

describe('401', () => {
  it('without a token no event is returned', async () => {
    const answer = await api.call({ url })
    assert.deepEqual([answer.status, answer.json.error_code], [401, 910])
  })
})

describe('403', () => {
  it('a token made from a public key reads no event', async () => {
    const answer = await api.call({ url, token: await api.token(api.publicKey) })
    assert.deepEqual([answer.status, answer.json.error_code], [403, 912])
  })
})

describe('404', () => {
  it('another merchant’s event, an unpositioned one and an unknown id are not found', async () => {
    const { id: paymentId } = await seedPayment(services, merchant)
    const event = { merchantId: merchant.id, paymentId, kind: 'payment.expired' as const, number: 1 }
    const unpositioned = await seedEvent(services, { ...event, at: api.clock.now() })
    for (const id of [unpositioned, expired.id, 99_999_999_999_999, 'x']) {
      const answer = await backend.get(`/v1/events/${id}`)
      assert.deepEqual([answer.status, answer.json.error_code], [404, 920])
    }
    const stranger = backendOf(await testApi({ database: api.database }))
    const answer = await stranger.get(url)
    assert.deepEqual([answer.status, answer.json.error_code], [404, 920])
  })
})
