import type { Clock } from './clock.ts'
import type { Log } from './log.ts'
import type { SqlFragment } from './sql.ts'

/** Work that is repeated in the background. */
export interface BackgroundJob<Services> {
  name: string
  everyMs: number
  /**
   * True if it counts for the metrics of its own instance. Every instance runs it, less often while it counts
   * nothing. Of any other job, all instances together begin one run per interval.
   */
  isGauge?: true
  /** Returns the number of processed items, for the log. Long work ends soon after the signal is aborted. */
  work(services: Services, signal: AbortSignal): Promise<number>
}

/** Work that begins when something is due. Any number of instances may run it at the same time. */
export interface DueJob<Services> extends Pick<BackgroundJob<Services>, 'name' | 'work'> {
  /** Selects the `merchant_id` and the `due_at` of the rows that are due until a time. */
  due(until: Date): SqlFragment
  /** Processes what this process knows to be due, without a search. Undefined if it knows of nothing. */
  workOnNews?(services: Services, signal: AbortSignal): Promise<number> | undefined
}

/** Minimum pause after a failure, which a sooner retry would not mend. It also keeps the log short. */
export const afterFailureMs = 1_000

/** Pause before a job looks again at a clock that is wrong. */
export const clockPauseMs = 1_000

type Needs = { clock: Clock; log: Log }

/** Runs the job, unless the clock is wrong: the wrong items would be due or expired. Returns its count. */
export async function runJobOnce<Services extends Needs>(
  job: Pick<BackgroundJob<Services>, 'name' | 'work' | 'isGauge'>,
  services: Services,
  signal: AbortSignal,
): Promise<number> {
  if (services.clock.fault) return 0
  const count = await job.work(services, signal)
  if (count > 0 && !job.isGauge)
    services.log.info({ job: job.name, count }, 'a background job completed a run')
  return count
}

export function logFailedRun({ log }: Needs, { name }: { name: string }, err: unknown): void {
  log.error({ job: name, err }, 'a background job failed; will retry')
}
