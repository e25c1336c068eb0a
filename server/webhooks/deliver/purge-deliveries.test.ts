import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from '../../../kit/runtime/sql.ts'
import { testApi } from '../../../testing/harness/api.ts'
import { respondWith, testReceiver } from '../../../testing/harness/receiver.ts'
import { deliveriesOf, deliveryAttemptsOf, seedEvents, seedWebhook } from '../../../testing/seed/webhook.ts'
import { dispatchAndDeliverDue } from '../../../testing/till/process-due.ts'
import { positionAndDispatchEvents } from './dispatch.ts'
import { purgeDeliveries } from './purge-deliveries.ts'

const { services, merchant, clock } = await testApi()
const dayMs = 24 * 3600 * 1000

it('ended deliveries and their attempts are deleted after the retention period, and pending ones of an enabled webhook are not', async () => {
  const taking = await testReceiver()
  const failing = await testReceiver(respondWith(500))
  const took = await seedWebhook(services, merchant, taking.url)
  const waits = await seedWebhook(services, merchant, failing.url)
  await seedEvents(services, merchant, 1)
  await dispatchAndDeliverDue(services)
  const [delivered = assert.fail()] = await deliveriesOf(services, took.id)
  clock.advance(services.config.deliveryDays * dayMs)
  assert.equal(await purgeDeliveries(services), 0)
  clock.advance(1)
  assert.equal(await purgeDeliveries(services), 1)
  assert.deepEqual(await deliveriesOf(services, took.id), [])
  assert.deepEqual(await deliveryAttemptsOf(services, delivered.id), [])
  const [waiting = assert.fail()] = await deliveriesOf(services, waits.id)
  assert.deepEqual([waiting.state, (await deliveryAttemptsOf(services, waiting.id)).length], ['pending', 1])
  assert.equal((await services.sql.many(sql`select from events`)).length, 1)
})

it('a pending delivery of a disabled webhook fails after the retention period, and is deleted one period later', async () => {
  const off = await seedWebhook(services, merchant, 'https://shop.example/hook')
  await seedEvents(services, merchant, 1)
  await positionAndDispatchEvents(services)
  await services.sql.run(sql`update webhooks set status = 'disabled' where id = ${off.id}`)
  clock.advance(services.config.deliveryDays * dayMs + 1)
  await purgeDeliveries(services)
  assert.deepEqual(
    (await deliveriesOf(services, off.id)).map(({ state }) => state),
    ['failed'],
  )
  clock.advance(services.config.deliveryDays * dayMs + 1)
  await purgeDeliveries(services)
  assert.deepEqual(await deliveriesOf(services, off.id), [])
})
