import type { BackgroundJob } from '../../../kit/runtime/job.ts'
import type { Services } from '../../services.ts'
import type { DueWorkQueue } from '../lanes.ts'
import { maxDueItemsPerPos, perPosLaneJob, processDueConcurrently, processDueInLanes } from '../lanes.ts'
import { duePaymentIds, postponePayment } from '../store.ts'
import { updateUnsettledGauges } from '../update-unsettled-gauges.ts'
import { processAttempt } from './process-attempt.ts'
import { processPaymentDeadline } from './process-payment-deadline.ts'
import { dueAttemptIds, postponeAttempt } from './store.ts'

/** Number of payments read in one go, and number processed at once. */
const paymentsInOneGo = 100
const paymentsAtOnce = 10

/** Pause before one that failed is due again, so that those behind it are processed. */
const afterFailureMs = 60_000

/** Expires payments whose page ran out unpaid and resolves pre-authorizations past their deadline, until none is due. */
export async function processPaymentDeadlines(services: Services, signal?: AbortSignal): Promise<number> {
  const { sql, clock } = services
  let all = 0
  for (;;) {
    const due = await duePaymentIds(sql, clock.now(), paymentsInOneGo)
    const done = await processDueConcurrently(services, due, {
      atOnce: paymentsAtOnce,
      signal,
      work: (ownedId) => processPaymentDeadline(services, ownedId),
      postpone: (ownedId) => postponePayment(sql, ownedId, new Date(clock.now().getTime() + afterFailureMs)),
    })
    all += done
    if (due.length < paymentsInOneGo || done === 0 || signal?.aborted) return all
  }
}

/** Due attempts. One that keeps failing needs manual review too. */
const dueAttemptQueue: DueWorkQueue = {
  due: ({ sql, clock }) => dueAttemptIds(sql, clock.now(), maxDueItemsPerPos),
  processOne: processAttempt,
  postpone: async ({ sql, clock, config }, ownedId) => {
    const now = clock.now()
    const at = (ms: number) => new Date(now.getTime() + ms)
    const longestMs = (config.inquireAfterSeconds.at(-1) ?? 0) * 1000
    await postponeAttempt(sql, ownedId, { now, dueAt: at(afterFailureMs), since: at(-longestMs) })
  },
}

/** Processes due attempts, and answers when all that it took up are done. */
export function processDueAttempts(services: Services, signal?: AbortSignal): Promise<number> {
  return processDueInLanes(services, dueAttemptQueue, signal)
}

export const attemptJobs: BackgroundJob<Services>[] = [
  { name: 'process payment deadlines', everyMs: 1_000, work: processPaymentDeadlines },
  perPosLaneJob('process due attempts', dueAttemptQueue),
  { name: 'count unsettled charges and modifications', everyMs: 15_000, work: updateUnsettledGauges },
]
