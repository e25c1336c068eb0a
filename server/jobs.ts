import { balanceJobs } from './balance/index.ts'
import { cardJobs } from './cards/index.ts'
import { idempotencyJobs } from './idempotency/index.ts'
import type { Job } from './kit/job.ts'
import { runJob } from './kit/job.ts'
import { paymentJobs } from './payments/index.ts'
import { posJobs } from './pos/index.ts'
import { refundJobs } from './refunds/index.ts'
import type { Services } from './services.ts'
import { threeDsJobs } from './three-ds/index.ts'
import { traceJobs } from './traces/index.ts'
import { webhookJobs } from './webhooks/index.ts'

/** Everything that happens in the background. */
export const jobs: Job<Services>[] = [
  ...idempotencyJobs,
  ...posJobs,
  ...cardJobs,
  ...paymentJobs,
  ...balanceJobs,
  ...threeDsJobs,
  ...refundJobs,
  ...traceJobs,
  ...webhookJobs,
]

export async function runJobs(services: Services, signal: AbortSignal): Promise<void> {
  await Promise.all(jobs.map((job) => runJob(job, services, signal)))
}
