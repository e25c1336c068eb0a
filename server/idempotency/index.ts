import type { BackgroundJob } from '../../kit/runtime/job.ts'
import type { Services } from '../services.ts'
import { deleteExpiredKeys } from './delete-expired-keys.ts'

export { IdempotencyHandler, idempotencyRefusals } from './idempotency-handler.ts'
export type { IdempotencyKeyRow } from './store.ts'
export { claimKeys, claimKeysPart, storedResponses } from './store.ts'

export const idempotencyJobs: BackgroundJob<Services>[] = [
  { name: 'delete expired idempotency keys', everyMs: 60_000, work: deleteExpiredKeys },
]
