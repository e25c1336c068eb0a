import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../../../kit/runtime/sql.ts'
import { testApi } from '../../../testing/harness/api.ts'
import { backendOf } from '../../../testing/harness/backend.ts'
import { untilLockIsAwaited } from '../../../testing/harness/database.ts'
import { newTestWebhook, seedDelivery, seedListedEvent } from '../../../testing/seed/delivery.ts'
import { resendEvent } from './resend-event.ts'

const env = { RATE_LIMIT_PER_SECOND: '0' }
const minuteMs = 60_000

const api = await testApi({ env })
const pathOf = (eventId: number) => `/v1/events/${eventId}/resend`

/** Creates a merchant for one test, because an event goes to all webhooks of its merchant. */
async function newShop() {
  const shop = await testApi({ env, database: api.database })
  return { ...shop, backend: backendOf(shop), eventId: await seedListedEvent(shop.services, shop.merchant) }
}

type Shown = { id: number; event_id: number; reason: string; status: string; next_try_at: string }

describe('200', () => {
  it('it goes to every enabled webhook subscribed to its kind, by a new delivery that is due now', async () => {
    const { services, merchant, backend, eventId } = await newShop()
    const all = await newTestWebhook(services, merchant)
    const same = await newTestWebhook(services, merchant, { events: ['payment.failed', 'payment.succeeded'] })
    await newTestWebhook(services, merchant, { events: ['payment.failed'] })
    const disabled = await newTestWebhook(services, merchant)
    await backend.form(`/v1/webhooks/${disabled.id}`, { status: 'disabled' })
    const deleted = await newTestWebhook(services, merchant)
    await backend.delete(`/v1/webhooks/${deleted.id}`)
    for (const { id } of [all, same])
      await seedDelivery(services, { merchantId: merchant.id, id }, { eventId, state: 'delivered' })
    const { status, json } = await backend.form(pathOf(eventId), {})
    assert.equal(status, 200)
    const rows = await services.sql.many(sql`select webhook_id as id from webhook_deliveries
      where merchant_id = ${merchant.id} and reason = 'resend' order by webhook_id`)
    assert.deepEqual(rows, [{ id: all.id }, { id: same.id }])
    assert.deepEqual(
      json.map((each: Shown) => [each.event_id, each.reason, each.status, each.next_try_at]),
      [
        [eventId, 'resend', 'pending', '2026-11-15T09:30:00+03:00'],
        [eventId, 'resend', 'pending', '2026-11-15T09:30:00+03:00'],
      ],
    )
  })

  it('it goes to a named webhook only, whatever kinds that is subscribed to', async () => {
    const { services, merchant, clock, backend, eventId } = await newShop()
    const other = await newTestWebhook(services, merchant)
    const dueAt = new Date(clock.now().getTime() + 60 * minuteMs)
    const waits = await seedDelivery(services, other, { eventId, dueAt })
    const deaf = await newTestWebhook(services, merchant, { events: ['refund.failed'] })
    const { json } = await backend.form(pathOf(eventId), { webhook_id: String(deaf.id) })
    assert.equal(json.length, 1)
    assert.deepEqual((await backend.get(`/v1/webhooks/${deaf.id}/deliveries`)).json, json)
    const { json: waiting } = await backend.get(`/v1/webhooks/${other.id}/deliveries/${waits}`)
    assert.equal(waiting.next_try_at, '2026-11-15T10:30:00+03:00')
  })

  it('a pending delivery gets no second one: it becomes due now and keeps its attempts', async () => {
    const { services, merchant, clock, backend, eventId } = await newShop()
    const webhook = await newTestWebhook(services, merchant)
    const dueAt = new Date(clock.now().getTime() + 60 * minuteMs)
    const id = await seedDelivery(services, webhook, { eventId, dueAt, attempts: [{ status: 500 }] })
    clock.advance(minuteMs)
    const { json } = await backend.form(pathOf(eventId), {})
    assert.deepEqual(
      json.map((each: Shown & { attempts: object[] }) => [
        each.id,
        each.reason,
        each.next_try_at,
        each.attempts.length,
      ]),
      [[id, 'event', '2026-11-15T09:31:00+03:00', 1]],
    )
    assert.deepEqual((await backend.form(pathOf(eventId), {})).json, json)
  })

  it('a delivery that may be under way keeps its due time', async () => {
    const { services, merchant, clock, backend, eventId } = await newShop()
    const webhook = await newTestWebhook(services, merchant)
    const dueAt = new Date(clock.now().getTime() + 20_000)
    const id = await seedDelivery(services, webhook, { eventId, dueAt })
    const { json } = await backend.form(pathOf(eventId), {})
    assert.deepEqual([json[0].id, json[0].next_try_at], [id, '2026-11-15T09:30:20+03:00'])
  })

  it('several requests at the same time send it once', async () => {
    const { services, merchant, backend, eventId } = await newShop()
    const webhook = await newTestWebhook(services, merchant)
    const named = { webhook_id: String(webhook.id) }
    const sending: ReturnType<typeof backend.form>[] = []
    const made = await services.sql.transaction(async (transaction) => {
      const first = await resendEvent({ ...services, sql: transaction }, merchant, eventId, undefined)
      sending.push(backend.form(pathOf(eventId), {}), backend.form(pathOf(eventId), named))
      await untilLockIsAwaited(services.sql, 2)
      return first
    })
    for (const { json } of await Promise.all(sending)) assert.equal(json[0].id, made[0]?.id)
    assert.equal((await backend.get(`/v1/webhooks/${webhook.id}/deliveries`)).json.length, 1)
  })

  it('the list is empty if no webhook is subscribed', async () => {
    const { backend, eventId } = await newShop()
    assert.equal((await backend.form(pathOf(eventId), {})).text, '[]')
  })
})

describe('401', () => {
  it('without a token nothing is sent', async () => {
    assert.equal((await api.call({ method: 'POST', url: pathOf(10000000000001) })).status, 401)
  })
})

describe('403', () => {
  it('a token made from a public key sends nothing', async () => {
    const token = await api.token(api.publicKey)
    const answer = await api.call({ method: 'POST', url: pathOf(10000000000001), token })
    assert.equal(answer.json.error_code, 912)
  })
})

describe('404', () => {
  it('an unknown event, another merchant’s event and a test are not found', async () => {
    const { services, merchant, backend } = await newShop()
    const { eventId: theirs } = await newShop()
    const webhook = await newTestWebhook(services, merchant)
    const test = (await backend.form(`/v1/webhooks/${webhook.id}/test`, {})).json.id
    for (const id of [99999999999999, theirs, test]) {
      const answer = await backend.form(pathOf(id), { webhook_id: String(webhook.id) })
      assert.deepEqual([answer.status, answer.json.error_code], [404, 920])
    }
  })
})

describe('422', () => {
  it('an unknown webhook, another merchant’s webhook and a disabled one are refused', async () => {
    const { services, merchant, backend, eventId } = await newShop()
    const stranger = await newShop()
    const theirs = await newTestWebhook(stranger.services, stranger.merchant)
    const disabled = await newTestWebhook(services, merchant)
    await backend.form(`/v1/webhooks/${disabled.id}`, { status: 'disabled' })
    const complaintsFor = async (webhookId: number) => {
      const body = { webhook_id: webhookId }
      const { status, json } = await backend.json(pathOf(eventId), body, { 'accept-language': 'en' })
      return [status, json.errors.webhook_id]
    }
    assert.deepEqual(await complaintsFor(theirs.id), [422, ['There is no webhook with this ID.']])
    assert.deepEqual(await complaintsFor(99999999999999), [422, ['There is no webhook with this ID.']])
    assert.deepEqual(await complaintsFor(disabled.id), [422, ['This webhook is disabled. Enable it first.']])
  })
})
