import type { Metrics } from '../../../kit/runtime/metrics.ts'
import type { Services } from '../../services.ts'
import type { DeliveryQueueStats } from './store.ts'
import { deliveryQueueStats } from './store.ts'

const counted = new WeakMap<Metrics, { counts: DeliveryQueueStats }>()

/**
 * Counts pending deliveries for the metrics. Every instance reports the same numbers, for the whole database.
 */
export async function updateDeliveryGauges({ sql, metrics, clock }: Services): Promise<number> {
  const counts = await deliveryQueueStats(sql, clock.now())
  const known = counted.get(metrics)
  if (known) {
    known.counts = counts
    return 0
  }
  const latest = { counts }
  counted.set(metrics, latest)
  const ageOf = (at: Date | null) => (at ? Math.max(0, clock.now().getTime() - at.getTime()) / 1000 : 0)
  metrics.gauge(
    'vezne_oldest_new_event_seconds',
    'Age of the oldest event that has no position and no deliveries yet.',
    () => ageOf(latest.counts.oldestNewAt),
  )
  metrics.gauge(
    'vezne_webhook_deliveries_waiting',
    'Pending deliveries to enabled webhooks.',
    () => latest.counts.waiting,
  )
  metrics.gauge(
    'vezne_webhook_oldest_due_seconds',
    'How long the oldest due delivery has been due, of webhooks that are neither failing nor paused (Retry-After).',
    () => ageOf(latest.counts.oldestDueAt),
  )
  metrics.gauge(
    'vezne_webhooks_failing',
    'Enabled webhooks whose latest delivery attempts have all failed.',
    () => latest.counts.failing,
  )
  return 0
}
