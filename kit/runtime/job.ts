import type { Clock } from './clock.ts'
import type { Log } from './log.ts'

/** Something that is done again and again in the background. Any number of instances may do it at the same time. */
export interface BackgroundJob<Services> {
  name: string
  everyMs: number
  /** Answers how much it did, for the log. What takes long looks at the signal, and ends soon once it is aborted. */
  work(services: Services, signal: AbortSignal): Promise<number>
  /** Waits for what a run has left running. */
  end?(services: Services): Promise<void>
}

/** What fails is not tried again sooner: whatever is away is not helped by being asked for, nor is whoever reads the log. */
const afterFailureMs = 1_000

/** Pause before the clock is looked at again. */
const clockPauseMs = 1_000

/**
 * Runs the job once, unless the clock is wrong: by a wrong clock other work is due, and kept things are out of date. Answers
 * whether it did.
 */
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

/** Runs the job until the signal ends it; a run under way is finished first. A failure waits for the next run. */
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
  await job.end?.(services)
}
