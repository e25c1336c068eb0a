import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from '../../../kit/runtime/sql.ts'
import { testApi } from '../../../testing/harness/api.ts'
import { respondWith, testReceiver } from '../../../testing/harness/receiver.ts'
import { seedEvents, seedWebhook } from '../../../testing/seed/webhook.ts'
import { dispatchAndDeliverDue } from '../../../testing/till/process-due.ts'
import { positionAndDispatchEvents } from './dispatch.ts'
import { updateDeliveryGauges } from './update-delivery-gauges.ts'

const { services, merchant, clock } = await testApi()

/** Values of a metric, by its labels. */
async function shown(name: string): Promise<Record<string, number>> {
  const text = await services.metrics.registry.metrics()
  const lines = text.split('\n').filter((line) => line.startsWith(name))
  return Object.fromEntries(
    lines.map((line) => {
      const [label = '', value] = line.slice(name.length).split(' ')
      return [label, Number(value)]
    }),
  )
}

it('the metrics show pending deliveries and their age, results of attempts, and the delay of the first one', async () => {
  const healthy = await testReceiver()
  const failing = await testReceiver(respondWith(500))
  await seedWebhook(services, merchant, healthy.url)
  await seedWebhook(services, merchant, failing.url)
  await seedEvents(services, merchant, 3)
  clock.advance(2_000)
  await updateDeliveryGauges(services)
  assert.deepEqual(await shown('vezne_oldest_new_event_seconds'), { '': 2 })
  assert.deepEqual(await shown('vezne_webhook_deliveries_waiting'), { '': 0 })
  await positionAndDispatchEvents(services)
  clock.advance(3_000)
  await updateDeliveryGauges(services)
  assert.deepEqual(await shown('vezne_oldest_new_event_seconds'), { '': 0 })
  assert.deepEqual(await shown('vezne_webhook_deliveries_waiting'), { '': 6 })
  assert.deepEqual(await shown('vezne_webhook_oldest_due_seconds'), { '': 3 })
  assert.deepEqual(await shown('vezne_webhooks_failing'), { '': 0 })
  await dispatchAndDeliverDue(services)
  clock.advance(60_000)
  await updateDeliveryGauges(services)
  assert.deepEqual(await shown('vezne_webhook_deliveries_waiting'), { '': 3 })
  // Due deliveries of a failing webhook do not count as late.
  assert.deepEqual(await shown('vezne_webhook_oldest_due_seconds'), { '': 0 })
  assert.deepEqual(await shown('vezne_webhooks_failing'), { '': 1 })
  assert.deepEqual(await shown('vezne_webhook_attempts_total'), { '{result="2xx"}': 3, '{result="5xx"}': 3 })
  assert.deepEqual(await shown('vezne_webhook_first_attempt_delay_seconds_sum'), { '': 6 * 5 })
  await services.sql.run(sql`update webhooks set status = 'disabled'`)
  await updateDeliveryGauges(services)
  assert.deepEqual(await shown('vezne_webhook_deliveries_waiting'), { '': 0 })
})
