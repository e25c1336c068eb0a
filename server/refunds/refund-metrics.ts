import type { Metrics } from '../../kit/runtime/metrics.ts'
import type { Services } from '../services.ts'
import type { Refund } from './refund.ts'
import { reviewQueueCounts } from './store.ts'

/** Counts a refund that has entered a state. */
export function incrementRefundCounter(
  { metrics }: Pick<Services, 'metrics'>,
  { state }: Pick<Refund, 'state'>,
): void {
  metrics.labelledCounter('vezne_refunds_total', 'Refunds that entered a state.', ['state']).inc({ state })
}

type Counts = Awaited<ReturnType<typeof reviewQueueCounts>>

const counted = new WeakMap<Metrics, { counts: Counts }>()

/**
 * Counts the refunds under review for the metrics. Every instance exports the same numbers, for the whole
 * database.
 */
export async function updateReviewGauges(services: Services): Promise<number> {
  const counts = await reviewQueueCounts(services.sql)
  const known = counted.get(services.metrics)
  if (known) known.counts = counts
  else registerGauges(services, counts)
  return 0
}

function registerGauges({ metrics, clock }: Services, counts: Counts): void {
  const latest = { counts }
  counted.set(metrics, latest)
  metrics.gauge('vezne_refunds_under_review', 'Refunds under review.', () => latest.counts.underReview)
  metrics.gauge(
    'vezne_refunds_in_manual_review',
    'Refunds in manual review: vezne refund list.',
    () => latest.counts.inManualReview,
  )
  metrics.gauge(
    'vezne_oldest_refund_in_manual_review_seconds',
    'Age of the oldest refund in manual review.',
    () => {
      const { oldestAt } = latest.counts
      return oldestAt ? (clock.now().getTime() - oldestAt.getTime()) / 1000 : 0
    },
  )
}
