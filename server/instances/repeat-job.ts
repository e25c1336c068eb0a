import type { BackgroundJob } from '../../kit/runtime/job.ts'
import { afterFailureMs, clockPauseMs, logFailedRun, runJobOnce } from '../../kit/runtime/job.ts'
import type { Services } from '../services.ts'
import { claimLease, takeLease } from './store.ts'

/** Name of the lease to search for due work. */
export const searchLease = 'search for due work'

/** A lease that ends later than this after a new one would was taken by a wrong clock. */
const longestErrorMs = 120_000

/** Factor of the interval of a gauge that counted nothing. */
const idleFactor = 4

/**
 * Repeats a job until the signal is aborted; a run under way is completed. The first run begins at once: it may
 * need what this start has changed, such as a new secret. A failed run is repeated.
 */
export async function repeatJob(
  job: BackgroundJob<Services>,
  services: Services,
  signal: AbortSignal,
): Promise<void> {
  const { clock } = services
  let isFirst = true
  while (!signal.aborted) {
    let waitMs = job.everyMs
    try {
      if (clock.fault) waitMs = Math.min(waitMs, clockPauseMs)
      else if (job.isGauge || (await mayRun(job, services, isFirst))) {
        isFirst = false
        const count = await runJobOnce(job, services, signal)
        if (job.isGauge && count === 0) waitMs *= idleFactor
      }
    } catch (err) {
      logFailedRun(services, job, err)
      waitMs = Math.max(waitMs, afterFailureMs)
    }
    await clock.sleep(waitMs, signal).catch(() => undefined)
  }
}

async function mayRun(
  { name, everyMs }: BackgroundJob<Services>,
  { sql, clock }: Services,
  isFirst: boolean,
): Promise<boolean> {
  const now = clock.now()
  const until = new Date(now.getTime() + everyMs)
  const latest = new Date(until.getTime() + longestErrorMs)
  if (!isFirst) return claimLease(sql, name, { now, until, latest })
  await takeLease(sql, name, until)
  return true
}
