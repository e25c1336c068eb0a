import { secondsSince } from '../../../kit/runtime/clock.ts'
import type { Services } from '../../services.ts'
import { deliveryQueueStats } from './store.ts'

/**
 * Counts pending deliveries for the metrics. Every instance reports the same numbers, for the whole database. Returns the
 * number of those that wait or fail.
 */
export async function updateDeliveryGauges({ sql, metrics, clock }: Services): Promise<number> {
  const { oldestNewAt, waiting, oldestDueAt, failing } = await deliveryQueueStats(sql, clock.now())
  metrics.gauge(
    'vezne_oldest_new_event_seconds',
    'Age of the oldest event that has no position and no deliveries yet.',
    () => secondsSince(clock, oldestNewAt),
  )
  metrics.gauge('vezne_webhook_deliveries_waiting', 'Pending deliveries to enabled webhooks.', () => waiting)
  metrics.gauge(
    'vezne_webhook_oldest_due_seconds',
    'How long the oldest due delivery has been due, of webhooks that are neither failing nor paused (Retry-After).',
    () => secondsSince(clock, oldestDueAt),
  )
  metrics.gauge(
    'vezne_webhooks_failing',
    'Enabled webhooks whose latest delivery attempts have all failed.',
    () => failing,
  )
  return waiting + failing
}
