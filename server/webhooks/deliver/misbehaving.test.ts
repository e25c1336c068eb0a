import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../../../kit/runtime/sql.ts'
import { testApi } from '../../../testing/harness/api.ts'
import type { Responder, WebhookReceiver } from '../../../testing/harness/receiver.ts'
import { respondNoContent, respondWith, testReceiver } from '../../../testing/harness/receiver.ts'
import {
  deliveriesOf,
  deliveryAttemptsOf,
  seedEvents,
  seedWebhook,
  webhookStatus,
} from '../../../testing/seed/webhook.ts'
import { dispatchAndDeliverDue } from '../../../testing/till/process-due.ts'
import { retryWaitsS } from './schedule.ts'

const dayMs = 24 * 3600 * 1000

const api = await testApi()

describe('a receiver that', () => {
  /** Creates a webhook and events for it; disables all other webhooks. */
  async function waitingFor(
    answer: Responder,
    events = 1,
  ): Promise<{ receiver: WebhookReceiver; id: number }> {
    await api.services.sql.run(sql`update webhooks set status = 'disabled'`)
    const receiver = await testReceiver(answer)
    const { id } = await seedWebhook(api.services, api.merchant, receiver.url)
    await seedEvents(api.services, api.merchant, events)
    return { receiver, id }
  }

  /** Delivers to a silent receiver until the attempt times out. */
  async function deliverUntilGivenUp(): Promise<void> {
    const delivering = dispatchAndDeliverDue(api.services)
    await api.clock.asleep(1)
    api.clock.advance(15_000)
    await delivering
  }

  async function onlyDelivery(id: number) {
    const [delivery = assert.fail('there is none')] = await deliveriesOf(api.services, id)
    return { ...delivery, tried: await deliveryAttemptsOf(api.services, delivery.id) }
  }

  it('answers 500 gets ten attempts on schedule, within 20 %, and then no more', async () => {
    const { receiver, id } = await waitingFor(respondWith(500, {}, 'out of order'))
    await dispatchAndDeliverDue(api.services)
    for (const [index, waitS] of retryWaitsS.entries()) {
      const { dueAt, attemptCount, tried } = await onlyDelivery(id)
      assert.equal(attemptCount, index + 1)
      assert.deepEqual(tried.at(-1)?.nextAttemptAt, dueAt)
      const waitMs = (dueAt?.getTime() ?? 0) - api.clock.now().getTime()
      assert.ok(waitMs >= waitS * 800 && waitMs <= waitS * 1200, `${waitMs} ms instead of ${waitS} s`)
      api.clock.advance(waitMs - 1)
      await dispatchAndDeliverDue(api.services)
      assert.equal(receiver.requests.length, index + 1, 'it came too early')
      api.clock.advance(1)
      await dispatchAndDeliverDue(api.services)
      assert.equal(receiver.requests.length, index + 2)
    }
    const { state, dueAt, tried } = await onlyDelivery(id)
    assert.deepEqual([state, dueAt, tried.length], ['failed', null, 10])
    assert.ok(
      tried.every(
        ({ status, fault, answer }) => status === 500 && fault === null && answer === 'out of order',
      ),
    )
    api.clock.advance(10 * dayMs)
    await dispatchAndDeliverDue(api.services)
    assert.equal(receiver.requests.length, 10)
  })

  it('answers 429 with Retry-After gets nothing until then', async () => {
    const { receiver, id } = await waitingFor(respondWith(429, { 'retry-after': '90' }))
    await dispatchAndDeliverDue(api.services)
    assert.equal(receiver.requests.length, 1)
    await seedEvents(api.services, api.merchant, 2)
    api.clock.advance(89_000)
    await dispatchAndDeliverDue(api.services)
    assert.equal(receiver.requests.length, 1, 'it was not left alone')
    receiver.answer = respondNoContent
    api.clock.advance(1_000)
    await dispatchAndDeliverDue(api.services)
    assert.equal(receiver.requests.length, 4)
    assert.ok((await deliveriesOf(api.services, id)).every(({ state }) => state === 'delivered'))
  })

  it('asks for a pause gets one, even if it accepts a delivery that was already under way', async () => {
    // The third request is answered first, then the second with a shorter pause, then the first.
    const held: (() => void)[] = []
    const { receiver, id } = await waitingFor((response) => {
      const { length: number } = receiver.requests
      if (number === 1) held.push(() => response.writeHead(204).end())
      else if (number === 2) held.push(() => response.writeHead(503, { 'retry-after': '1' }).end())
      else response.writeHead(429, { 'retry-after': '90' }).end()
    }, 3)
    const answered = async (count: number) => {
      const attempts = () =>
        api.services.sql.many(sql`select from webhook_attempts t
        join webhook_deliveries d on d.merchant_id = t.merchant_id and d.id = t.delivery_id where d.webhook_id = ${id}`)
      while ((await attempts()).length < count);
    }
    const delivering = dispatchAndDeliverDue(api.services)
    await receiver.waitForRequests(3)
    await answered(1)
    held.pop()?.()
    await answered(2)
    held.pop()?.()
    await delivering
    await seedEvents(api.services, api.merchant, 1)
    api.clock.advance(89_000)
    await dispatchAndDeliverDue(api.services)
    assert.equal(receiver.requests.length, 3, 'it was not left alone')
    receiver.answer = respondNoContent
    api.clock.advance(1_000)
    await dispatchAndDeliverDue(api.services)
    assert.equal(receiver.requests.length, 6)
  })

  it('answers with a Retry-After shorter than the schedule gets no earlier attempt', async () => {
    const { receiver, id } = await waitingFor(respondWith(503, { 'retry-after': '1' }))
    await dispatchAndDeliverDue(api.services)
    const { dueAt } = await onlyDelivery(id)
    assert.ok((dueAt?.getTime() ?? 0) - api.clock.now().getTime() >= 4_000)
    receiver.answer = respondNoContent
    api.clock.advance(6_000)
    await dispatchAndDeliverDue(api.services)
    assert.equal(receiver.requests.length, 2)
  })

  it('accepts a new event gets no early retry of an older one', async () => {
    const { receiver } = await waitingFor(respondWith(500))
    await dispatchAndDeliverDue(api.services)
    receiver.answer = respondNoContent
    await seedEvents(api.services, api.merchant, 1)
    await dispatchAndDeliverDue(api.services)
    const [first, second, more] = receiver.requests.map(({ headers }) => headers['webhook-id'])
    assert.ok(second !== undefined && second !== first)
    assert.equal(more, undefined)
  })

  it('answers 410 is disabled, and gets the pending events when it is enabled again', async () => {
    const { receiver, id } = await waitingFor(respondWith(410))
    await dispatchAndDeliverDue(api.services)
    assert.deepEqual(await webhookStatus(api.services, id), { status: 'disabled', because: 'gone' })
    receiver.answer = respondNoContent
    await seedEvents(api.services, api.merchant, 1)
    api.clock.advance(dayMs)
    await dispatchAndDeliverDue(api.services)
    assert.equal(receiver.requests.length, 1)
    await api.services.sql.run(sql`update webhooks set status = 'enabled' where id = ${id}`)
    await dispatchAndDeliverDue(api.services)
    assert.equal(receiver.requests.length, 2)
    assert.equal((await onlyDelivery(id)).state, 'delivered')
  })

  it('answers 301 has failed, and the redirect is not followed', async () => {
    const elsewhere = await testReceiver()
    const { id } = await waitingFor(respondWith(301, { location: elsewhere.url }))
    await dispatchAndDeliverDue(api.services)
    const { state, tried } = await onlyDelivery(id)
    assert.deepEqual([state, tried[0]?.status], ['pending', 301])
    assert.equal(elsewhere.requests.length, 0)
  })

  it('sends no response times out after fifteen seconds', async () => {
    const { id } = await waitingFor(() => undefined)
    await deliverUntilGivenUp()
    const { state, tried } = await onlyDelivery(id)
    assert.equal(state, 'pending')
    assert.deepEqual([tried[0]?.status, tried[0]?.fault, tried[0]?.durationMs], [null, 'timeout', 15_000])
  })

  it('answers 200 but does not finish its body times out after fifteen seconds too', async () => {
    const { id } = await waitingFor((response) => response.writeHead(200).write('a'))
    await deliverUntilGivenUp()
    const { state, tried } = await onlyDelivery(id)
    assert.equal(state, 'pending')
    assert.equal(tried[0]?.fault, 'timeout')
  })

  it('answers 200 with 10 MB has accepted the event, and 20 000 bytes are stored', async () => {
    const { id } = await waitingFor(respondWith(200, {}, 'x'.repeat(10_000_000)))
    await dispatchAndDeliverDue(api.services)
    const { state, tried } = await onlyDelivery(id)
    assert.deepEqual([state, tried[0]?.answer.length], ['delivered', 20_000])
  })

  it('answers with binary data has its readable part stored', async () => {
    const { id } = await waitingFor((response) =>
      response.writeHead(500).end(Buffer.from([0x61, 0x00, 0xff, 0x62])),
    )
    await dispatchAndDeliverDue(api.services)
    assert.equal((await onlyDelivery(id)).tried[0]?.answer, 'a\ufffd\ufffdb')
  })

  it('answers with card numbers or keys has them left out of what is kept', async () => {
    const padding = 'x'.repeat(10_000)
    const { id } = await waitingFor(
      respondWith(500, {}, `${padding} 4242 4242 4242 4242, sk_live_abc, whsec_abc=`),
    )
    await dispatchAndDeliverDue(api.services)
    const { answer = '' } = (await onlyDelivery(id)).tried[0] ?? {}
    assert.equal(answer.slice(padding.length), ' [number redacted], sk_live_[redacted], whsec_[redacted]')
  })

  it('does not speak TLS at an https address is recorded as tls_failed', async () => {
    const { receiver, id } = await waitingFor(respondNoContent)
    const secure = receiver.url.replace('http:', 'https:')
    await api.services.sql.run(sql`update webhooks set url = ${secure} where id = ${id}`)
    await dispatchAndDeliverDue(api.services)
    assert.equal((await onlyDelivery(id)).tried[0]?.fault, 'tls_failed')
    assert.equal(receiver.requests.length, 0)
  })

  it('resets or refuses the connection is recorded as such', async () => {
    const { receiver, id } = await waitingFor((response) => response.socket?.resetAndDestroy())
    await dispatchAndDeliverDue(api.services)
    await receiver.close()
    api.clock.advance(6_000)
    await dispatchAndDeliverDue(api.services)
    const { tried } = await onlyDelivery(id)
    assert.deepEqual(
      tried.map(({ fault }) => fault),
      ['connection_reset', 'connection_refused'],
    )
  })

  it('runs on this machine gets nothing from a live merchant', async () => {
    const live = await testApi({ live: true, database: api.database, clock: api.clock })
    const receiver = await testReceiver()
    const { id } = await seedWebhook(live.services, live.merchant, receiver.url)
    await seedEvents(live.services, live.merchant, 1)
    await dispatchAndDeliverDue(live.services)
    assert.equal(receiver.requests.length, 0)
    assert.equal((await onlyDelivery(id)).tried[0]?.fault, 'address_not_allowed')
  })

  it('runs on this machine gets nothing once LOOPBACK_WEBHOOKS is never', async () => {
    const { receiver, id } = await waitingFor(respondNoContent)
    const closed = { ...api.services.config, loopbackWebhooks: 'never' } as const
    await dispatchAndDeliverDue({ ...api.services, config: closed })
    assert.equal(receiver.requests.length, 0)
    assert.equal((await onlyDelivery(id)).tried[0]?.fault, 'address_not_allowed')
  })
})

describe('a webhook that only fails', () => {
  /** Sends an event each day; returns the number of days until the webhook is disabled. */
  async function daysUntilDisabled(id: number, most: number): Promise<number | undefined> {
    for (let day = 0; day <= most; day++) {
      await seedEvents(api.services, api.merchant, 1)
      await dispatchAndDeliverDue(api.services)
      if ((await webhookStatus(api.services, id)).status === 'disabled') return day
      api.clock.advance(dayMs)
    }
    return undefined
  }

  it('is disabled after five days', async () => {
    const receiver = await testReceiver(respondWith(500))
    const { id } = await seedWebhook(api.services, api.merchant, receiver.url)
    assert.equal(await daysUntilDisabled(id, 7), 5)
    assert.equal((await webhookStatus(api.services, id)).because, 'failing')
    assert.ok(api.lines.some((line) => line.includes('a webhook was disabled')))
  })

  it('is not disabled if it accepts an event meanwhile: the five days start again', async () => {
    const receiver = await testReceiver(respondWith(500))
    const { id } = await seedWebhook(api.services, api.merchant, receiver.url)
    assert.equal(await daysUntilDisabled(id, 3), undefined)
    receiver.answer = respondNoContent
    await seedEvents(api.services, api.merchant, 1)
    await dispatchAndDeliverDue(api.services)
    receiver.answer = respondWith(500)
    assert.equal(await daysUntilDisabled(id, 7), 5)
  })

  it('is not disabled for failures before a long pause', async () => {
    const receiver = await testReceiver(respondWith(500))
    const { id } = await seedWebhook(api.services, api.merchant, receiver.url)
    await seedEvents(api.services, api.merchant, 1)
    await dispatchAndDeliverDue(api.services)
    await api.services.sql.run(
      sql`update webhook_deliveries set state = 'failed', due_at = null, ended_at = ${api.clock.now()} where webhook_id = ${id}`,
    )
    api.clock.advance(30 * dayMs)
    await seedEvents(api.services, api.merchant, 1)
    await dispatchAndDeliverDue(api.services)
    assert.equal((await webhookStatus(api.services, id)).status, 'enabled')
  })

  it('is not where its address has changed since the attempt began', async () => {
    const receiver = await testReceiver()
    const { id } = await seedWebhook(api.services, api.merchant, receiver.url)
    receiver.answer = (response) => {
      void api.services.sql
        .run(sql`update webhooks set url = 'https://elsewhere.example/' where id = ${id}`)
        .then(() => response.writeHead(410).end())
    }
    await seedEvents(api.services, api.merchant, 1)
    await dispatchAndDeliverDue(api.services)
    assert.equal((await webhookStatus(api.services, id)).status, 'enabled')
  })

  it('keeps the reason of an operator who disabled it after the attempt began', async () => {
    const receiver = await testReceiver()
    const { id } = await seedWebhook(api.services, api.merchant, receiver.url)
    receiver.answer = (response) => {
      void api.services.sql
        .run(sql`update webhooks set status = 'disabled', disabled_because = 'operator' where id = ${id}`)
        .then(() => response.writeHead(410).end())
    }
    await seedEvents(api.services, api.merchant, 1)
    await dispatchAndDeliverDue(api.services)
    assert.equal((await webhookStatus(api.services, id)).because, 'operator')
  })
})

describe('a response that arrives after its webhook has changed', () => {
  it('does not pause the new address', async () => {
    const old = await testReceiver()
    const elsewhere = await testReceiver()
    const { id } = await seedWebhook(api.services, api.merchant, old.url)
    old.answer = (response) => {
      void api.services.sql
        .run(sql`update webhooks set url = ${elsewhere.url} where id = ${id}`)
        .then(() => response.writeHead(429, { 'retry-after': '86400' }).end())
    }
    await seedEvents(api.services, api.merchant, 1)
    await dispatchAndDeliverDue(api.services)
    await seedEvents(api.services, api.merchant, 1)
    await dispatchAndDeliverDue(api.services)
    assert.deepEqual([old.requests.length, elsewhere.requests.length], [1, 1])
  })

  it('stores no health for a deleted webhook', async () => {
    const receiver = await testReceiver()
    const { id } = await seedWebhook(api.services, api.merchant, receiver.url)
    receiver.answer = (response) => {
      void api.services.sql
        .run(sql`update webhooks set deleted_at = ${api.clock.now()} where id = ${id}`)
        .then(() => response.writeHead(500).end())
    }
    await seedEvents(api.services, api.merchant, 1)
    await dispatchAndDeliverDue(api.services)
    const health = await api.services.sql.many(sql`select from webhook_health where webhook_id = ${id}`)
    assert.deepEqual([receiver.requests.length, health.length], [1, 0])
  })
})
