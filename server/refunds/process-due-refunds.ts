import type { BackgroundJob } from '../../kit/runtime/job.ts'
import {
  dueModificationQueue,
  perPosLaneJob,
  processDueConcurrently,
  processDueInLanes,
} from '../payments/for-refunds.ts'
import type { Services } from '../services.ts'
import { onRefundOutcome } from './on-refund-outcome.ts'
import { updateReviewGauges } from './refund-metrics.ts'
import { reviewRefundByRules } from './review-refund-by-rules.ts'
import { postponeRefundReview, refundIdsDueForReview } from './store.ts'

const inOneGo = 100
const atOnce = 4
const afterFailureMs = 60_000

/** Reviews refunds by rules until none is due. */
export async function reviewDueRefunds(services: Services, signal?: AbortSignal): Promise<number> {
  const { sql, clock } = services
  let all = 0
  for (;;) {
    const due = await refundIdsDueForReview(sql, clock.now(), inOneGo)
    const done = await processDueConcurrently(services, due, {
      atOnce,
      signal,
      work: (ownedId) => reviewRefundByRules(services, ownedId),
      postpone: (ownedId) =>
        postponeRefundReview(sql, ownedId, new Date(clock.now().getTime() + afterFailureMs)),
    })
    all += done
    if (due.length < inOneGo || done === 0 || signal?.aborted) return all
  }
}

const dueRefundQueue = dueModificationQueue(['refund'], onRefundOutcome)

/** Processes approved refunds that are due. Resolves when all of them are processed. */
export function processDueRefunds(services: Services, signal?: AbortSignal): Promise<number> {
  return processDueInLanes(services, dueRefundQueue, signal)
}

export const refundJobs: BackgroundJob<Services>[] = [
  { name: 'review refunds', everyMs: 1_000, work: reviewDueRefunds },
  perPosLaneJob('process due refunds', dueRefundQueue),
  { name: 'count refunds in review', everyMs: 15_000, work: updateReviewGauges },
]
