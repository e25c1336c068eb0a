import type { BackgroundJob } from '../kit/runtime/job.ts'
import { runJobRepeatedly } from '../kit/runtime/job.ts'
import { balanceJobs } from './balance/index.ts'
import { cardJobs } from './cards/index.ts'
import { idempotencyJobs } from './idempotency/index.ts'
import { paymentJobs, repairPaymentDueTimes } from './payments/index.ts'
import { posJobs } from './pos/index.ts'
import { refundJobs } from './refunds/index.ts'
import type { Services } from './services.ts'
import { repairAuthenticationDueTimes, threeDsJobs } from './three-ds/index.ts'
import { traceJobs } from './traces/index.ts'
import { repairDeliveryDueTimes, webhookJobs } from './webhooks/index.ts'

export const jobs: BackgroundJob<Services>[] = [
  ...idempotencyJobs,
  ...posJobs,
  ...cardJobs,
  ...paymentJobs,
  ...balanceJobs,
  ...threeDsJobs,
  ...refundJobs,
  ...traceJobs,
  ...webhookJobs,
  { name: 'repair due times', everyMs: 60_000, work: repairDueTimes },
]

/** Finds due times that are further ahead than possible and sets them to now. */
async function repairDueTimes(services: Services): Promise<number> {
  const count =
    (await repairPaymentDueTimes(services)) +
    (await repairAuthenticationDueTimes(services)) +
    (await repairDeliveryDueTimes(services))
  if (count > 0) services.log.warn({ count }, 'due times were too far in the future; set to now')
  return count
}

export function startJobs(services: Services): void {
  const { tasks } = services
  for (const job of jobs) void tasks.add(runJobRepeatedly(job, services, tasks.signal))
}
