import type { BackgroundJob } from '../kit/job.ts'
import type { Services } from '../services.ts'
import { forgetTraces } from './forget-traces.ts'

export { changeTraced, noteTrace } from './note-trace.ts'
export type { Trace } from './trace.ts'

export const traceJobs: BackgroundJob<Services>[] = [
  { name: 'forget traces', everyMs: 10 * 60 * 1000, work: forgetTraces },
]
