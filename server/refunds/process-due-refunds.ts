import type { BackgroundJob, DueJob } from '../../kit/runtime/job.ts'
import {
  afterFailureMs,
  dueModificationQueue,
  perPosLaneJob,
  processUntilNoneIsDue,
} from '../payments/for-refunds.ts'
import type { Services } from '../services.ts'
import { onRefundOutcome } from './on-refund-outcome.ts'
import { updateReviewGauges } from './refund-metrics.ts'
import { reviewRefundByRules } from './review-refund-by-rules.ts'
import { dueRefundReviews, postponeRefundReview, refundIdsDueForReview } from './store.ts'

/** Reviews refunds by rules until none is due. */
export function reviewDueRefunds(services: Services, signal?: AbortSignal): Promise<number> {
  const { sql, clock } = services
  return processUntilNoneIsDue(services, {
    due: (limit) => refundIdsDueForReview(sql, clock.now(), limit),
    inOnePass: 100,
    atOnce: 4,
    signal,
    work: (ownedId) => reviewRefundByRules(services, ownedId),
    postpone: (ownedId) =>
      postponeRefundReview(sql, ownedId, new Date(clock.now().getTime() + afterFailureMs)),
  })
}

export const dueRefundQueue = dueModificationQueue(['refund'], onRefundOutcome)

export const dueRefundJobs: DueJob<Services>[] = [
  { name: 'review refunds', due: dueRefundReviews, work: reviewDueRefunds },
  perPosLaneJob('process due refunds', dueRefundQueue),
]

export const refundJobs: BackgroundJob<Services>[] = [
  { name: 'count refunds in review', everyMs: 15_000, isGauge: true, work: updateReviewGauges },
]
