import type { BackgroundJob, DueJob } from '../kit/runtime/job.ts'
import { balanceJobs } from './balance/index.ts'
import { cardJobs } from './cards/index.ts'
import { analyzeNewTables } from './database/analyze-new-tables.ts'
import { idempotencyJobs } from './idempotency/index.ts'
import { announceDueNow, DueJobs, repeatJob } from './instances/index.ts'
import { duePaymentJobs, paymentJobs, repairPaymentDueTimes } from './payments/index.ts'
import { posJobs } from './pos/index.ts'
import { productJobs } from './products/index.ts'
import { dueRefundJobs, refundJobs } from './refunds/index.ts'
import type { Services } from './services.ts'
import { dueAuthenticationJob, repairAuthenticationDueTimes } from './three-ds/index.ts'
import { traceJobs } from './traces/index.ts'
import { deliveryJob, repairDeliveryDueTimes, webhookJobs } from './webhooks/index.ts'

/** Jobs that are repeated at an interval. */
export const jobs: readonly BackgroundJob<Services>[] = [
  ...idempotencyJobs,
  ...productJobs,
  ...posJobs,
  ...cardJobs,
  ...paymentJobs,
  ...balanceJobs,
  ...refundJobs,
  ...traceJobs,
  ...webhookJobs,
  { name: 'repair due times', everyMs: 60_000, work: repairDueTimes },
  { name: 'analyze new tables', everyMs: 5_000, work: ({ sql }) => analyzeNewTables(sql) },
]

/** Jobs that run when something is due. */
export const dueJobs: readonly DueJob<Services>[] = [
  ...duePaymentJobs,
  dueAuthenticationJob,
  ...dueRefundJobs,
  deliveryJob,
]

/** Finds due times that are further ahead than possible and sets them to now. */
async function repairDueTimes(services: Services): Promise<number> {
  const count =
    (await repairPaymentDueTimes(services)) +
    (await repairAuthenticationDueTimes(services)) +
    (await repairDeliveryDueTimes(services))
  if (count > 0) {
    services.log.warn({ count }, 'due times were too far in the future; set to now')
    announceDueNow(services)
  }
  return count
}

export function startJobs(services: Services): void {
  const { tasks } = services
  for (const job of jobs) void tasks.add(repeatJob(job, services, tasks.signal))
  void tasks.add(new DueJobs(services, dueJobs).run(tasks.signal))
}
