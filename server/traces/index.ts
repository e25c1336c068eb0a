import type { BackgroundJob } from '../../kit/runtime/job.ts'
import type { Services } from '../services.ts'
import { deleteOldTraces } from './delete-old-traces.ts'

export { recordTrace, recordTraceWithChange } from './record-trace.ts'
export type { Trace } from './trace.ts'

export const traceJobs: BackgroundJob<Services>[] = [
  { name: 'delete old traces', everyMs: 10 * 60 * 1000, work: deleteOldTraces },
]
