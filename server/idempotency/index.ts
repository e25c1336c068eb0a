import type { BackgroundJob } from '../kit/job.ts'
import type { Services } from '../services.ts'
import { reapKeys } from './reap-keys.ts'

export { idempotencyRefusals, OnceAnswerer } from './answer-once.ts'
export { claimPart, keptColumns, keptRow } from './store.ts'

export const idempotencyJobs: BackgroundJob<Services>[] = [
  { name: 'reap idempotency keys', everyMs: 60_000, work: reapKeys },
]
