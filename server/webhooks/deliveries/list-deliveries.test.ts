import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testApi } from '../../../testing/harness/api.ts'
import { backendOf } from '../../../testing/harness/backend.ts'
import { newTestWebhook, seedDelivery, seedWebhookHealth } from '../../../testing/seed/delivery.ts'
import { seed } from '../../../testing/seed/seed.ts'
import { deliveriesOf } from '../../../testing/seed/webhook.ts'
import { webhookDeliveries } from '../records/delivery.ts'

const minuteMs = 60_000

const api = await testApi({ env: { RATE_LIMIT_PER_SECOND: '0' } })
const backend = backendOf(api)
const { services, merchant, clock } = api
const later = (minutes: number) => new Date(clock.now().getTime() + minutes * minuteMs)

const webhook = await newTestWebhook(services, merchant)
const url = `/v1/webhooks/${webhook.id}/deliveries`
const other = await newTestWebhook(services, merchant)
await seedDelivery(services, other)

// Three deliveries, an hour apart.
const eventId = await services.ids.next()
const failed = await seedDelivery(services, webhook, {
  eventId,
  state: 'failed',
  attempts: [
    { status: 503, answer: 'ş'.repeat(3000), nextAttemptAt: later(5) },
    { status: null, fault: 'timeout', answer: '', durationMs: 15_000, beganAt: later(5) },
  ],
})
clock.advance(60 * minuteMs)
const delivered = await seedDelivery(services, webhook, {
  eventId,
  reason: 'resend',
  state: 'delivered',
  attempts: [{ status: 204, answer: '' }],
})
clock.advance(60 * minuteMs)
const pending = await seedDelivery(services, webhook, { kind: 'refund.created', dueAt: later(10) })

async function found(query = ''): Promise<number[]> {
  const answer = await backend.get(`${url}?${query}`)
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.headers['x-total-count'], String(answer.json.length))
  return answer.json.map(({ id }: { id: number }) => id)
}

describe('200', () => {
  it('the newest comes first, each with its attempts, and responses are truncated', async () => {
    const { json } = await backend.get(url)
    assert.deepEqual(json, [
      {
        id: pending,
        event_id: pending,
        type: 'refund.created',
        reason: 'event',
        status: 'pending',
        created_at: '2026-11-15T11:30:00+03:00',
        next_try_at: '2026-11-15T11:40:00+03:00',
        attempts: [],
      },
      {
        id: delivered,
        event_id: eventId,
        type: 'payment.succeeded',
        reason: 'resend',
        status: 'delivered',
        created_at: '2026-11-15T10:30:00+03:00',
        next_try_at: null,
        attempts: [
          {
            number: 1,
            began_at: '2026-11-15T10:30:00+03:00',
            duration_ms: 20,
            status_code: 204,
            error: null,
            answer: '',
            next_try_at: null,
          },
        ],
      },
      {
        id: failed,
        event_id: eventId,
        type: 'payment.succeeded',
        reason: 'event',
        status: 'failed',
        created_at: '2026-11-15T09:30:00+03:00',
        next_try_at: null,
        attempts: [
          {
            number: 1,
            began_at: '2026-11-15T09:30:00+03:00',
            duration_ms: 20,
            status_code: 503,
            error: null,
            answer: 'ş'.repeat(1000),
            next_try_at: '2026-11-15T09:35:00+03:00',
          },
          {
            number: 2,
            began_at: '2026-11-15T09:35:00+03:00',
            duration_ms: 15_000,
            status_code: null,
            error: 'timeout',
            answer: '',
            next_try_at: null,
          },
        ],
      },
    ])
  })

  it('filters work alone and together', async () => {
    assert.deepEqual(await found(), [pending, delivered, failed])
    assert.deepEqual(await found('status=pending'), [pending])
    assert.deepEqual(await found('status=delivered'), [delivered])
    assert.deepEqual(await found('status=failed'), [failed])
    assert.deepEqual(await found(`event_id=${eventId}`), [delivered, failed])
    assert.deepEqual(await found(`event_id=${eventId}&status=failed`), [failed])
    assert.deepEqual(await found('event_id=99999999999999'), [])
    assert.deepEqual(await found('status='), [pending, delivered, failed])
  })

  it('the next attempt of a pending delivery respects a pause and a disabled webhook; that of a test does not', async () => {
    const quiet = await newTestWebhook(services, merchant)
    const waiting = await seedDelivery(services, quiet, { dueAt: later(10) })
    const late = await seedDelivery(services, quiet, { dueAt: later(30) })
    const test = await seedDelivery(services, quiet, { reason: 'test', dueAt: later(1) })
    await seedWebhookHealth(services, quiet, { pausedUntil: later(20) })
    const nextAttempts = async () => {
      const { json } = await backend.get(`/v1/webhooks/${quiet.id}/deliveries`)
      const times = new Map(
        json.map((each: { id: number; next_try_at: string }) => [each.id, each.next_try_at]),
      )
      return [waiting, late, test].map((id) => (times.get(id) as string | null)?.slice(11, 16) ?? null)
    }
    assert.deepEqual(await nextAttempts(), ['11:50', '12:00', '11:31'])
    await backend.form(`/v1/webhooks/${quiet.id}`, { status: 'disabled' })
    assert.deepEqual(await nextAttempts(), [null, null, '11:31'])
  })
})

describe('200, page by page', () => {
  it('each delivery is on one page, even if many have the same time; the count is exact up to 1000', async () => {
    const busy = await newTestWebhook(services, merchant)
    await seedDelivery(services, busy)
    const [first = assert.fail()] = await deliveriesOf(services, busy.id)
    const others = Array.from({ length: 1000 }, (_, index) => ({
      ...{ ...first, id: first.id + 20000000000000 + index, eventId: first.eventId + 20000000000000 + index },
      createdAt: new Date(first.createdAt.getTime() + (index % 7)),
    }))
    await seed(services.sql, webhookDeliveries, others)
    const path = `/v1/webhooks/${busy.id}/deliveries`
    const seen: number[] = []
    for await (const page of backend.pages(`${path}?per_page=100&status=pending`)) {
      assert.equal(page.headers['x-total-count'], '1000+')
      seen.push(...page.json.map(({ id }: { id: number }) => id))
      await seedDelivery(services, busy, { createdAt: later(1) })
    }
    assert.equal(seen.length, 1001)
    assert.equal(new Set(seen).size, 1001)
    assert.equal((await backend.get(path)).json.length, 20)
  })

  it('a page with very long responses has fewer deliveries', async () => {
    const busy = await newTestWebhook(services, merchant)
    const attempts = Array.from({ length: 10 }, () => ({ status: 500, answer: '\u0001'.repeat(5000) }))
    for (let count = 0; count < 60; count++) await seedDelivery(services, busy, { state: 'failed', attempts })
    const sizes: number[] = []
    for await (const page of backend.pages(`/v1/webhooks/${busy.id}/deliveries?per_page=100`)) {
      assert.ok(page.text.length < 4_000_000)
      sizes.push(page.json.length)
    }
    assert.ok(sizes.length > 1)
    assert.equal(
      sizes.reduce((sum, size) => sum + size),
      60,
    )
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

describe('404', () => {
  it('another merchant’s webhook is not found', async () => {
    const stranger = backendOf(await testApi({ database: api.database }))
    assert.equal((await stranger.get(url)).json.error_code, 920)
  })
})

describe('422', () => {
  it('an unknown filter and invalid values are refused by name', async () => {
    const faults = async (query: string) => {
      const answer = await backend.get(`${url}?${query}`, { 'accept-language': 'en' })
      assert.deepEqual([answer.status, answer.json.error_code], [422, 901])
      return answer.json.errors
    }
    assert.deepEqual(await faults('state=failed'), {
      state: ['There is no such filter. Valid filters: status, event_id, after, per_page.'],
    })
    for (const query of ['status=lost', 'event_id=1', 'after=x', 'per_page=101', 'per_page=0'])
      assert.deepEqual(Object.keys(await faults(query)), query.split('=', 1))
  })
})
