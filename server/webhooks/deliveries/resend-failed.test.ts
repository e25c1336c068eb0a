import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../../../kit/runtime/sql.ts'
import { testApi } from '../../../testing/harness/api.ts'
import { backendOf } from '../../../testing/harness/backend.ts'
import { untilLockIsAwaited } from '../../../testing/harness/database.ts'
import { newInstance } from '../../../testing/harness/new-instance.ts'
import type { DeliverySeed } from '../../../testing/seed/delivery.ts'
import { newTestWebhook, seedDelivery } from '../../../testing/seed/delivery.ts'
import { seed } from '../../../testing/seed/seed.ts'
import { deliveriesOf } from '../../../testing/seed/webhook.ts'
import { webhookDeliveries } from '../records/delivery.ts'
import type { Webhook } from '../records/webhook.ts'
import { resendFailed } from './resend-failed.ts'

const hourMs = 60 * 60 * 1000

const api = await testApi({ env: { RATE_LIMIT_PER_SECOND: '0', WEBHOOKS_PER_MERCHANT: '100' } })
const backend = backendOf(api)
const { services, merchant, clock } = api
const start = clock.now()
clock.advance(100 * hourMs)

const pathOf = ({ id }: Pick<Webhook, 'id'>) => `/v1/webhooks/${id}/resend-failed`
const at = (hours: number) => new Date(start.getTime() + hours * hourMs)

/** Ten hours after the start. */
const since = '2026-11-15T19:30:00+03:00'

const failedAt = (hours: number, more: DeliverySeed = {}): DeliverySeed => ({
  state: 'failed',
  createdAt: at(0),
  endedAt: at(hours),
  ...more,
})

async function eventsUnderWay({ id }: Webhook): Promise<number[]> {
  const rows = await services.sql.many<{ event: number }>(sql`select event_id as event from webhook_deliveries
    where webhook_id = ${id} and due_at <= ${clock.now()} order by id`)
  return rows.map(({ event }) => event)
}

describe('200', () => {
  it('deliveries that failed since then are sent again, whatever the time of their events; nothing else is', async () => {
    const [webhook, other] = [
      await newTestWebhook(services, merchant),
      await newTestWebhook(services, merchant),
    ]
    await seedDelivery(services, webhook, failedAt(9.99))
    const first = await seedDelivery(services, webhook, failedAt(10))
    const second = await seedDelivery(services, webhook, failedAt(50))
    // A delivery of the same event to another webhook does not count.
    await seedDelivery(services, other, { eventId: second, state: 'delivered', endedAt: at(60) })
    await seedDelivery(services, webhook, { state: 'delivered', endedAt: at(50) })
    await seedDelivery(services, webhook, failedAt(50, { reason: 'test', kind: 'webhook.test' }))
    await seedDelivery(services, other, failedAt(50))
    const { status, text } = await backend.form(pathOf(webhook), { since })
    assert.deepEqual([status, text], [200, '{"resent":2}'])
    assert.deepEqual(await eventsUnderWay(webhook), [first, second])
    assert.deepEqual(await eventsUnderWay(other), [])
  })

  it('each event is sent once, however often it failed, unless it was delivered since', async () => {
    const webhook = await newTestWebhook(services, merchant)
    const eventId = await seedDelivery(services, webhook, failedAt(20))
    await seedDelivery(services, webhook, failedAt(30, { eventId, reason: 'resend' }))
    await seedDelivery(services, webhook, failedAt(30, { eventId, reason: 'resend' }))
    const arrived = await seedDelivery(services, webhook, failedAt(20))
    await seedDelivery(services, webhook, {
      eventId: arrived,
      reason: 'resend',
      state: 'delivered',
      endedAt: at(40),
    })
    // A resend of a delivered event failed.
    const again = await seedDelivery(services, webhook, { state: 'delivered', endedAt: at(20) })
    await seedDelivery(services, webhook, failedAt(40, { eventId: again, reason: 'resend' }))
    assert.deepEqual((await backend.form(pathOf(webhook), { since })).json, { resent: 2 })
    assert.deepEqual(await eventsUnderWay(webhook), [eventId, again])
  })

  it('repeated and concurrent requests send nothing that is still pending', async () => {
    const webhook = await newTestWebhook(services, merchant)
    const onItsWay = await seedDelivery(services, webhook, failedAt(20))
    const failed = await seedDelivery(services, webhook, failedAt(20))
    await seedDelivery(services, webhook, { eventId: onItsWay, reason: 'resend', dueAt: at(500) })
    const ask = () => backend.form(pathOf(webhook), { since })
    const instance = newInstance(services, services.sql)
    const sending: ReturnType<typeof ask>[] = []
    await services.sql.transaction(async (transaction) => {
      assert.equal(await resendFailed({ ...instance, sql: transaction }, webhook, at(10)), 1)
      sending.push(ask())
      await untilLockIsAwaited(services.sql)
      // A merchant has one request at a time, because a waiting one holds a database connection.
      const refused = await ask()
      assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '1'])
    })
    for (const { json } of [...(await Promise.all(sending)), await ask()])
      assert.deepEqual(json, { resent: 0 })
    assert.deepEqual(await eventsUnderWay(webhook), [failed])
  })

  it('deliveries to a disabled webhook wait until it is enabled', async () => {
    const webhook = await newTestWebhook(services, merchant)
    await seedDelivery(services, webhook, failedAt(20))
    await backend.form(`/v1/webhooks/${webhook.id}`, { status: 'disabled' })
    assert.deepEqual((await backend.form(pathOf(webhook), { since })).json, { resent: 1 })
  })

  it('a day starts at midnight in the merchant’s time zone', async () => {
    const webhook = await newTestWebhook(services, merchant)
    // Midnight in Istanbul, and a moment before.
    await seedDelivery(services, webhook, failedAt(14.5))
    await seedDelivery(services, webhook, failedAt(14.49))
    assert.deepEqual((await backend.form(pathOf(webhook), { since: '2026-11-16' })).json, { resent: 1 })
  })

  it('thousands of failures at the same time are all sent again, also with an Idempotency-Key', async () => {
    const webhook = await newTestWebhook(services, merchant)
    await seedDelivery(services, webhook, failedAt(20))
    const [first = assert.fail()] = await deliveriesOf(services, webhook.id)
    const others = Array.from({ length: 5000 }, (_, index) => ({
      ...{ ...first, id: first.id + 20000000000000 + index, reason: 'resend' as const },
      eventId: first.eventId + 20000000000000 + (index % 4500),
    }))
    await seed(services.sql, webhookDeliveries, others)
    const headers = { 'idempotency-key': 'thousands' }
    assert.deepEqual((await backend.form(pathOf(webhook), { since }, headers)).json, { resent: 4501 })
    const replayed = await backend.form(pathOf(webhook), { since }, headers)
    assert.equal(replayed.headers['idempotency-replayed'], 'true')
    const under = await eventsUnderWay(webhook)
    assert.equal(under.length, 4501)
    assert.equal(new Set(under).size, 4501)
  })
})

const nowhere = { method: 'POST', url: pathOf({ id: 10000000000001 }), form: `since=2026-11-15` } as const

describe('401', () => {
  it('without a token nothing is sent', async () => {
    assert.equal((await api.call(nowhere)).status, 401)
  })
})

describe('403', () => {
  it('a token made from a public key sends nothing', async () => {
    assert.equal((await api.call({ ...nowhere, token: await api.token(api.publicKey) })).json.error_code, 912)
  })
})

describe('404', () => {
  it('nothing is sent to another merchant’s webhook', async () => {
    const webhook = await newTestWebhook(services, merchant)
    await seedDelivery(services, webhook, failedAt(20))
    const stranger = backendOf(await testApi({ database: api.database }))
    assert.equal((await stranger.form(pathOf(webhook), { since })).json.error_code, 920)
    assert.deepEqual(await eventsUnderWay(webhook), [])
  })
})

describe('422', () => {
  it('a start is required, as a day or a time', async () => {
    const webhook = await newTestWebhook(services, merchant)
    for (const form of ['', 'since=', 'since=yesterday', 'since=2026-02-30', 'since=2026-11-15T09:30:00']) {
      const answer = await backend.form(pathOf(webhook), form)
      assert.deepEqual([answer.status, Object.keys(answer.json.errors)], [422, ['since']], form)
    }
  })
})
