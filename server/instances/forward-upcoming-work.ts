import type { Services } from '../services.ts'
import { searchLease } from './repeat-job.ts'
import { endLeaseAt } from './store.ts'
import { longestPauseMs, upcomingWork } from './upcoming-work.ts'

const roundMs = 500

/** Hands the upcoming work of this process to the instances that run jobs: their next search begins in time. */
export async function forwardUpcomingWork({
  sql,
  clock,
  processState,
}: Pick<Services, 'sql' | 'clock' | 'processState'>): Promise<void> {
  const upcoming = upcomingWork({ processState })
  const earliest = upcoming.takeEarliest()
  const at = upcoming.takeNews() ? clock.now() : earliest
  if (at) await endLeaseAt(sql, searchLease, at)
}

/** Forwards the upcoming work of a process that runs no jobs, until the signal is aborted and then once more. */
export async function watchUpcomingWork(
  services: Pick<Services, 'sql' | 'clock' | 'log' | 'processState'>,
  signal: AbortSignal,
): Promise<void> {
  const { clock, log } = services
  const upcoming = upcomingWork(services)
  const forward = () =>
    forwardUpcomingWork(services).catch((err: unknown) =>
      log.warn({ err }, 'announcing due work to other instances failed; their next search finds it'),
    )
  signal.addEventListener('abort', () => upcoming.wake())
  while (!signal.aborted) {
    const woken = upcoming.listen()
    await forward()
    await clock.sleep(roundMs, signal).catch(() => undefined)
    await clock.sleep(longestPauseMs, woken).catch(() => undefined)
  }
  await forward()
}
