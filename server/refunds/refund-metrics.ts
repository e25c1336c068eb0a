import { secondsSince } from '../../kit/runtime/clock.ts'
import type { Services } from '../services.ts'
import type { Refund } from './refund.ts'
import { reviewQueueCounts } from './store.ts'

/** Counts a refund that has entered a state. */
export function incrementRefundCounter(
  { metrics }: Pick<Services, 'metrics'>,
  { state }: Pick<Refund, 'state'>,
): void {
  metrics.counter('vezne_refunds_total', 'Refunds that entered a state.', ['state']).inc({ state })
}

/**
 * Counts the refunds under review for the metrics. Every instance exports the same numbers, for the whole
 * database. Returns their number.
 */
export async function updateReviewGauges({ sql, metrics, clock }: Services): Promise<number> {
  const { underReview, inManualReview, oldestAt } = await reviewQueueCounts(sql)
  metrics.gauge('vezne_refunds_under_review', 'Refunds under review.', () => underReview)
  metrics.gauge(
    'vezne_refunds_in_manual_review',
    'Refunds in manual review: vezne refund list.',
    () => inManualReview,
  )
  metrics.gauge(
    'vezne_oldest_refund_in_manual_review_seconds',
    'Age of the oldest refund in manual review.',
    () => secondsSince(clock, oldestAt),
  )
  return underReview + inManualReview
}
