import assert from 'node:assert/strict'
import { describe, it, mock } from 'node:test'
import { Webhook as Verifier } from 'standardwebhooks'
import { sql } from '../../../kit/runtime/sql.ts'
import { isoTime } from '../../../kit/text/zoned-time.ts'
import { respondNoContent, respondWith, testReceiver } from '../../../testing/harness/receiver.ts'
import {
  deliveriesOf,
  deliveryAttemptsOf,
  seedEvents,
  seedWebhook,
  seedWebhookSecret,
  webhookStatus,
} from '../../../testing/seed/webhook.ts'
import { dispatchAndDeliverDue } from '../../../testing/till/process-due.ts'
import { testTill } from '../../../testing/till/till.ts'
import { queueTestDelivery } from '../deliveries/test-webhook.ts'
import { positionAndDispatchEvents } from './dispatch.ts'
import { insertDeliveries, saveDeliveryAttempt } from './store.ts'

const till = await testTill()

describe('delivering', () => {
  it('sends the event of a payment to a webhook immediately, with a signature that the public library verifies', async () => {
    const receiver = await testReceiver()
    const webhook = await seedWebhook(till.services, till.merchant, receiver.url)
    const paymentId = await till.start()
    await till.pay(paymentId, '4111111111111111')
    await dispatchAndDeliverDue(till.services)
    assert.equal(receiver.requests.length, 1)
    const [{ method, headers, body } = assert.fail()] = receiver.requests
    assert.equal(method, 'POST')
    assert.equal(headers['content-type'], 'application/json; charset=utf-8')
    const payload = JSON.parse(body)
    assert.deepEqual(Object.keys(payload), ['type', 'timestamp', 'data'])
    assert.equal(payload.type, 'payment.succeeded')
    assert.equal(payload.timestamp, '2026-11-15T09:30:00+03:00')
    assert.deepEqual(payload.data, await till.result(paymentId))
    assertSigned(webhook.secret, headers, body, till.clock.now())
    const [{ id: eventId } = assert.fail()] = await till.services.sql.many<{ id: number }>(
      sql`select id from events where payment_id = ${paymentId}`,
    )
    assert.equal(headers['webhook-id'], String(eventId))
    const [delivery = assert.fail()] = await deliveriesOf(till.services, webhook.id)
    assert.deepEqual([delivery.state, delivery.attemptCount, delivery.dueAt], ['delivered', 1, null])
    const [tried = assert.fail()] = await deliveryAttemptsOf(till.services, delivery.id)
    assert.deepEqual([tried.number, tried.status, tried.fault, tried.nextAttemptAt], [1, 204, null, null])
    await dispatchAndDeliverDue(till.services)
    assert.equal(receiver.requests.length, 1)
    await receiver.close()
  })

  it('sends the same bytes at every attempt, with a new signature over the time of the attempt', async () => {
    const receiver = await testReceiver((response) => response.writeHead(500).end())
    const { secret } = await seedWebhook(till.services, till.merchant, receiver.url)
    await seedEvents(till.services, till.merchant, 1)
    await dispatchAndDeliverDue(till.services)
    receiver.answer = (response) => response.writeHead(200).end('taken')
    till.clock.advance(6_000)
    await dispatchAndDeliverDue(till.services)
    const [first = assert.fail(), second = assert.fail()] = receiver.requests
    assert.equal(second.body, first.body)
    assert.equal(second.headers['webhook-id'], first.headers['webhook-id'])
    assert.notEqual(second.headers['webhook-timestamp'], first.headers['webhook-timestamp'])
    assertSigned(secret, second.headers, second.body, till.clock.now())
    await receiver.close()
  })

  it('sends an event once to each enabled webhook subscribed to its kind, and to no other', async () => {
    const [all, some, others, off] = await Promise.all(Array.from({ length: 4 }, () => testReceiver()))
    if (!all || !some || !others || !off) throw new Error('there are four')
    const deleted = await seedWebhook(till.services, till.merchant, off.url)
    await till.services.sql.run(sql`update webhooks set deleted_at = updated_at where id = ${deleted.id}`)
    await seedWebhook(till.services, till.merchant, all.url)
    await seedWebhook(till.services, till.merchant, some.url, {
      events: ['payment.failed', 'refund.created'],
    })
    await seedWebhook(till.services, till.merchant, others.url, { events: ['payment.expired'] })
    await seedWebhook(till.services, till.merchant, off.url, { status: 'disabled' })
    await seedEvents(till.services, till.merchant, 2, 'payment.failed')
    await dispatchAndDeliverDue(till.services)
    await dispatchAndDeliverDue(till.services)
    assert.deepEqual(
      [all, some, others, off].map(({ requests: received }) => received.length),
      [2, 2, 0, 0],
    )
    assert.deepEqual(await deliveriesOf(till.services, deleted.id), [])
    await Promise.all([all, some, others, off].map((receiver) => receiver.close()))
  })

  it('sends a merchant no event of another merchant', async () => {
    const other = await testTill({ database: till.database, clock: till.clock })
    const [mine, theirs] = await Promise.all([testReceiver(), testReceiver()])
    await seedWebhook(till.services, till.merchant, mine.url)
    await seedWebhook(other.services, other.merchant, theirs.url)
    await seedEvents(other.services, other.merchant, 1)
    await dispatchAndDeliverDue(till.services)
    assert.deepEqual([mine.requests.length, theirs.requests.length], [0, 1])
    await Promise.all([mine.close(), theirs.close()])
  })

  it('continues for other merchants if it fails for one, and then throws that failure', async () => {
    const other = await testTill({ database: till.database, clock: till.clock })
    await seedEvents(till.services, till.merchant, 1)
    await positionAndDispatchEvents(till.services)
    const list = sql`where merchant_id = ${till.merchant.id}`
    const lists = sql`select last_position as last from event_lists ${list}`
    const { last } = await till.services.sql.one<{ last: number }>(lists)
    // Makes the next position one that is already assigned.
    await till.services.sql.run(sql`update event_lists set last_position = ${last - 1} ${list}`)
    await seedEvents(till.services, till.merchant, 1)
    till.clock.advance(1_000)
    await seedEvents(other.services, other.merchant, 1)
    assert.equal(await positionAndDispatchEvents(till.services), 1)
    await assert.rejects(positionAndDispatchEvents(till.services))
    await till.services.sql.run(sql`update event_lists set last_position = ${last} ${list}`)
    assert.equal(await positionAndDispatchEvents(till.services), 1)
  })

  it('does not send events that are older than the webhook', async () => {
    await seedEvents(till.services, till.merchant, 3)
    await dispatchAndDeliverDue(till.services)
    const receiver = await testReceiver()
    const { id } = await seedWebhook(till.services, till.merchant, receiver.url)
    await dispatchAndDeliverDue(till.services)
    assert.deepEqual(await deliveriesOf(till.services, id), [])
    await receiver.close()
  })

  it('signs with each secret until it expires', async () => {
    const receiver = await testReceiver()
    const { id, secret: old } = await seedWebhook(till.services, till.merchant, receiver.url)
    const began = till.clock.now()
    const until = new Date(began.getTime() + 60_000)
    await till.services.sql.run(
      sql`update webhook_secrets set signs_until = ${until} where webhook_id = ${id}`,
    )
    const secret = await seedWebhookSecret(till.services, till.merchant, id)
    await seedEvents(till.services, till.merchant, 1)
    await dispatchAndDeliverDue(till.services)
    till.clock.advance(60_000)
    await seedEvents(till.services, till.merchant, 1)
    await dispatchAndDeliverDue(till.services)
    const [byBoth = assert.fail(), byOne = assert.fail()] = receiver.requests
    assertSigned(old, byBoth.headers, byBoth.body, began)
    assertSigned(secret, byBoth.headers, byBoth.body, began)
    assertSigned(secret, byOne.headers, byOne.body, till.clock.now())
    assert.throws(() => assertSigned(old, byOne.headers, byOne.body, till.clock.now()))
    await receiver.close()
  })

  it('signs with the secrets that it can open, and sends nothing unsigned', async () => {
    const receiver = await testReceiver()
    const { id } = await seedWebhook(till.services, till.merchant, receiver.url)
    const until = new Date(till.clock.now().getTime() + 60_000)
    await till.services.sql.run(
      sql`update webhook_secrets set signs_until = ${until}, key_id = 'lost' where webhook_id = ${id}`,
    )
    await seedEvents(till.services, till.merchant, 1)
    await dispatchAndDeliverDue(till.services)
    assert.equal(receiver.requests.length, 0)
    const [delivery = assert.fail()] = await deliveriesOf(till.services, id)
    assert.equal((await deliveryAttemptsOf(till.services, delivery.id))[0]?.fault, 'not_signed')
    const secret = await seedWebhookSecret(till.services, till.merchant, id)
    till.clock.advance(6_000)
    await dispatchAndDeliverDue(till.services)
    const [{ headers, body } = assert.fail()] = receiver.requests
    assertSigned(secret, headers, body, till.clock.now())
    await receiver.close()
  })
})

describe('a test', () => {
  const isNoted = async (id: number) => {
    const health = sql`select from webhook_health where webhook_id = ${id} and failing_since is not null`
    return (await till.services.sql.maybe(health)) !== undefined
  }

  it('is signed, is marked as a test, and overtakes events that wait for a disabled or paused webhook', async () => {
    for (const closed of ['disabled', 'paused']) {
      const receiver = await testReceiver(respondWith(429, { 'retry-after': '60' }))
      const { id, secret } = await seedWebhook(till.services, till.merchant, receiver.url)
      await seedEvents(till.services, till.merchant, 1)
      if (closed === 'paused') await dispatchAndDeliverDue(till.services)
      else {
        await positionAndDispatchEvents(till.services)
        await till.services.sql.run(sql`update webhooks set status = 'disabled' where id = ${id}`)
      }
      const before = receiver.requests.length
      receiver.answer = respondNoContent
      const delivery = await queueTestDelivery(till.services, till.merchant, id)
      await dispatchAndDeliverDue(till.services)
      assert.equal(receiver.requests.length, before + 1, closed)
      const { headers, body } = receiver.requests.at(-1) ?? assert.fail()
      assertSigned(secret, headers, body, till.clock.now())
      assert.equal(headers['webhook-id'], String(delivery.id))
      assert.deepEqual(JSON.parse(body), {
        type: 'webhook.test',
        timestamp: isoTime(till.clock.now(), till.merchant.timeZone),
        data: { webhook_id: id },
      })
      const states = (await deliveriesOf(till.services, id)).map(({ state }) => state)
      assert.deepEqual(states.sort(), ['delivered', 'pending'])
      assert.equal(await isNoted(id), closed === 'paused')
      await till.services.sql.run(sql`update webhooks set deleted_at = updated_at where id = ${id}`)
      await receiver.close()
    }
  })

  it('is attempted once, and does not change the health of its webhook unless that answers 410', async () => {
    const receiver = await testReceiver(respondWith(503, { 'retry-after': '60' }))
    const { id } = await seedWebhook(till.services, till.merchant, receiver.url)
    await queueTestDelivery(till.services, till.merchant, id)
    await dispatchAndDeliverDue(till.services)
    const [{ state, attemptCount } = assert.fail()] = await deliveriesOf(till.services, id)
    assert.deepEqual([state, attemptCount], ['failed', 1])
    assert.equal(await isNoted(id), false)
    assert.equal((await webhookStatus(till.services, id)).status, 'enabled')
    receiver.answer = respondWith(410)
    await queueTestDelivery(till.services, till.merchant, id)
    await dispatchAndDeliverDue(till.services)
    assert.deepEqual(await webhookStatus(till.services, id), { status: 'disabled', because: 'gone' })
    await receiver.close()
  })
})

it('an event with a pending delivery to a webhook gets no second one', async () => {
  const { id: webhookId } = await seedWebhook(till.services, till.merchant, 'https://shop.example/hook')
  await seedEvents(till.services, till.merchant, 1)
  await positionAndDispatchEvents(till.services)
  const [{ id: first, eventId } = assert.fail()] = await deliveriesOf(till.services, webhookId)
  const id = await till.services.ids.next()
  const again = { id, webhookId, eventId, kind: 'payment.succeeded' } as const
  await insertDeliveries(till.services.sql, till.merchant.id, 'event', [again], till.clock.now())
  assert.deepEqual(
    (await deliveriesOf(till.services, webhookId)).map((delivery) => delivery.id),
    [first],
  )
})

describe('a delivery that two instances attempted', () => {
  it('has every attempt saved, and stays delivered if the other attempt fails later', async () => {
    const { id } = await seedWebhook(till.services, till.merchant, 'https://shop.example/hook')
    await seedEvents(till.services, till.merchant, 1)
    await positionAndDispatchEvents(till.services)
    const [delivery = assert.fail()] = await deliveriesOf(till.services, id)
    const at = till.clock.now()
    const tried = {
      ...{ merchantId: till.merchant.id, id: delivery.id, webhookId: id, isTest: false, at, beganAt: at },
      ...{ durationMs: 5, fault: null, answer: '' },
    }
    const later = new Date(at.getTime() + 5_000)
    const failure = { ...tried, state: 'pending', status: 500, at: later, nextAttemptAt: later } as const
    const ended = sql`select ended_at as at from webhook_deliveries where id = ${delivery.id}`
    await saveDeliveryAttempt(till.services.sql, failure)
    assert.deepEqual(await till.services.sql.one(ended), { at: null })
    await saveDeliveryAttempt(till.services.sql, {
      ...tried,
      state: 'delivered',
      status: 200,
      nextAttemptAt: null,
    })
    await saveDeliveryAttempt(till.services.sql, failure)
    const [kept = assert.fail()] = await deliveriesOf(till.services, id)
    assert.deepEqual([kept.state, kept.attemptCount, kept.dueAt], ['delivered', 3, null])
    assert.deepEqual(
      (await deliveryAttemptsOf(till.services, delivery.id)).map(({ status }) => status),
      [500, 200, 500],
    )
    assert.deepEqual(await till.services.sql.one(ended), { at })
  })
})

/** Verifies the signature with the public library, at the time of the attempt. */
function assertSigned(secret: string, headers: object, body: string, at: Date): void {
  mock.timers.enable({ apis: ['Date'], now: at })
  try {
    new Verifier(secret).verify(body, headers as Record<string, string>)
  } finally {
    mock.timers.reset()
  }
}
