import type { Clock } from './clock.ts'
import type { Log } from './log.ts'

/** Work that is repeated in the background. Any number of instances may run it at the same time. */
export interface BackgroundJob<Services> {
  name: string
  everyMs: number
  /** Returns the number of processed items, for the log. Long work ends soon after the signal is aborted. */
  work(services: Services, signal: AbortSignal): Promise<number>
}

/** Minimum pause after a failure, which a sooner retry would not mend. It also keeps the log short. */
const afterFailureMs = 1_000

const clockPauseMs = 1_000

/** Runs the job and returns true, unless the clock is wrong: the wrong items would be due or expired. */
export async function runJobOnce<Services extends { clock: Clock; log: Log }>(
  job: BackgroundJob<Services>,
  services: Services,
  signal: AbortSignal,
): Promise<boolean> {
  if (services.clock.fault) return false
  const count = await job.work(services, signal)
  if (count > 0) services.log.info({ job: job.name, count }, 'a background job completed a run')
  return true
}

/** Runs the job until the signal is aborted; a run under way is completed. A failed run is repeated. */
export async function runJobRepeatedly<Services extends { clock: Clock; log: Log }>(
  job: BackgroundJob<Services>,
  services: Services,
  signal: AbortSignal,
): Promise<void> {
  const { clock, log } = services
  while (!signal.aborted) {
    let waitMs = job.everyMs
    try {
      if (!(await runJobOnce(job, services, signal))) waitMs = Math.min(waitMs, clockPauseMs)
    } catch (err) {
      log.error({ job: job.name, err }, 'a background job failed; will retry')
      waitMs = Math.max(waitMs, afterFailureMs)
    }
    await clock.sleep(waitMs, signal).catch(() => undefined)
  }
}
