import type { Services } from '../services.ts'
import { searchLease } from './repeat-job.ts'
import { endLeaseAt } from './store.ts'
import { longestPauseMs, upcomingWork } from './upcoming-work.ts'

/** Shortest time between two announcements to other instances. */
const roundMs = 500
/** The other instances ask for the lease at this interval, and a little later they have searched. */
const untilSearchedMs = 1_200
/** Before the time of any clock. */
const atOnce = new Date(0)

/**
 * Hands the upcoming work of this process to the instances that run jobs: their next search begins in time. Returns
 * true if it was due already.
 */
export async function forwardUpcomingWork({
  sql,
  clock,
  processState,
}: Pick<Services, 'sql' | 'clock' | 'processState'>): Promise<boolean> {
  const upcoming = upcomingWork({ processState })
  const earliest = upcoming.takeEarliest()
  const at = upcoming.takeNews() ? atOnce : earliest
  if (at) await endLeaseAt(sql, searchLease, at)
  return at !== undefined && at <= clock.now()
}

/** Forwards the upcoming work of a process that runs no jobs, until the signal is aborted and then once more. */
export async function watchUpcomingWork(
  services: Pick<Services, 'sql' | 'clock' | 'log' | 'processState'>,
  signal: AbortSignal,
): Promise<void> {
  const { sql, clock, log } = services
  const upcoming = upcomingWork(services)
  const forward = () =>
    forwardUpcomingWork(services).catch((err: unknown) => {
      log.warn({ err }, 'announcing due work to other instances failed; their next search finds it')
      return false
    })
  signal.addEventListener('abort', () => upcoming.wake())
  while (!signal.aborted) {
    const woken = upcoming.listen()
    const wasDue = await forward()
    await clock.sleep(wasDue ? untilSearchedMs : roundMs, signal).catch(() => undefined)
    // Work may be committed a little after its announcement: another search follows.
    if (wasDue) await endLeaseAt(sql, searchLease, atOnce).catch(() => undefined)
    await clock.sleep(longestPauseMs, woken).catch(() => undefined)
  }
  await forward()
}
