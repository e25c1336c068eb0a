import type { DueJob } from '../../kit/runtime/job.ts'
import { afterFailureMs, clockPauseMs, logFailedRun, runJobOnce } from '../../kit/runtime/job.ts'
import { DatabaseNotReached, WorkerUnavailable } from '../../kit/runtime/sql.ts'
import type { Services } from '../services.ts'
import { searchLease } from './repeat-job.ts'
import { claimLease, earliestDueTimes, endLeaseAt, takeLease } from './store.ts'
import type { UpcomingWork } from './upcoming-work.ts'
import { announceDueNow, announceDueSoon, longestPauseMs, upcomingWork } from './upcoming-work.ts'

/** Interval at which an instance asks for the lease to search. Asking is cheap: it reads one row. */
const askEveryMs = 1_000
/** Pause after a search that found something due. It doubles after each search that did not. */
const shortestPauseMs = 1_000
/** Shortest time between two rounds. News of this time is processed together. */
const roundMs = 200

/**
 * Runs the jobs whose work is due. One search is for all of them, and one instance searches at a time, because a
 * distributed database asks all its servers. The search also finds work that becomes due during the pause after
 * it, so this begins in time. Work that this process has announced begins without waiting for the end of the pause.
 */
export class DueJobs {
  readonly #services: Services
  readonly #jobs: readonly DueJob<Services>[]
  readonly #upcoming: UpcomingWork
  readonly #running = new Set<DueJob<Services>>()
  #pauseMs = shortestPauseMs
  #asksAtMs = Number.NEGATIVE_INFINITY
  #hasMissedNews = false

  constructor(services: Services, jobs: readonly DueJob<Services>[]) {
    this.#services = services
    this.#jobs = jobs
    this.#upcoming = upcomingWork(services)
  }

  /** Runs until the signal is aborted. Runs under way are left in the task group. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#services
    signal.addEventListener('abort', () => this.#upcoming.wake())
    // An instance searches at its start, whoever has the lease: it may be that of a process that was killed.
    announceDueNow(this.#services)
    while (!signal.aborted) {
      const woken = this.#upcoming.listen()
      let waitMs = roundMs
      try {
        if (clock.fault) waitMs = clockPauseMs
        else await this.#runDue(signal)
      } catch (err) {
        log.error({ err }, 'searching for due work failed; will retry')
        waitMs = afterFailureMs
        announceDueSoon(this.#services)
      }
      await clock.sleep(waitMs, signal).catch(() => undefined)
      await clock.sleep(this.#untilNextRoundMs(), woken).catch(() => undefined)
    }
  }

  #untilNextRoundMs(): number {
    const { clock } = this.#services
    const untilAskingMs = this.#asksAtMs - clock.monotonicMs()
    const at = this.#upcoming.earliest
    const untilDueMs = at ? at.getTime() - clock.now().getTime() : untilAskingMs
    return Math.max(0, Math.min(untilAskingMs, untilDueMs))
  }

  async #runDue(signal: AbortSignal): Promise<void> {
    if (this.#upcoming.takeNews()) for (const job of this.#jobs) this.#beginOnNews(job, signal)
    const { sql, clock } = this.#services
    const now = clock.now()
    const isAnnounced = this.#upcoming.earliest !== undefined && this.#upcoming.earliest <= now
    // Announced work may be committed a little later: the next search follows soon.
    if (isAnnounced) this.#pauseMs = shortestPauseMs
    const nextAt = new Date(now.getTime() + this.#pauseMs)
    if (isAnnounced) await takeLease(sql, searchLease, nextAt)
    else if (!(await this.#claimLease(now, nextAt))) return
    this.#asksAtMs = clock.monotonicMs() + askEveryMs
    const announced = this.#upcoming.takeEarliest()
    if (announced && announced <= now && !isAnnounced) announceDueSoon(this.#services)
    const found = await this.#earliestDueTimes(nextAt)
    for (const job of this.#jobs) {
      const dueAt = found.get(job.name)
      if (dueAt && dueAt <= now) this.#begin(job, signal)
      else this.#upcoming.announce(dueAt, now)
    }
    const isAnyDue = found.values().some((dueAt) => dueAt <= now)
    const isPauseLong = this.#pauseMs > shortestPauseMs
    this.#pauseMs = isAnyDue ? shortestPauseMs : Math.min(2 * this.#pauseMs, longestPauseMs)
    if (isAnyDue && isPauseLong) await endLeaseAt(sql, searchLease, new Date(now.getTime() + shortestPauseMs))
  }

  /** If the one search fails, each job is searched for alone, so that the fault of one does not stop the others. */
  async #earliestDueTimes(until: Date): Promise<Map<string, Date>> {
    const { sql } = this.#services
    try {
      return await earliestDueTimes(sql, this.#jobs, until)
    } catch (error) {
      if (error instanceof DatabaseNotReached || error instanceof WorkerUnavailable) throw error
      const found = new Map<string, Date>()
      for (const job of this.#jobs) {
        const ofJob = await earliestDueTimes(sql, [job], until).catch((err: unknown) => {
          logFailedRun(this.#services, job, err)
          announceDueSoon(this.#services)
        })
        for (const [name, dueAt] of ofJob ?? []) found.set(name, dueAt)
      }
      return found
    }
  }

  async #claimLease(now: Date, nextAt: Date): Promise<boolean> {
    const { sql, clock } = this.#services
    if (clock.monotonicMs() < this.#asksAtMs) return false
    // A lease that ends later than this is that of a clock that is ahead.
    const latest = new Date(now.getTime() + longestPauseMs + askEveryMs)
    const isClaimed = await claimLease(sql, searchLease, { now, until: nextAt, latest })
    if (!isClaimed) this.#asksAtMs = clock.monotonicMs() + askEveryMs
    return isClaimed
  }

  #begin(job: DueJob<Services>, signal: AbortSignal): void {
    if (!this.#running.has(job)) this.#run(job, runJobOnce(job, this.#services, signal))
  }

  #beginOnNews(job: DueJob<Services>, signal: AbortSignal): void {
    if (this.#running.has(job)) this.#hasMissedNews ||= job.workOnNews !== undefined
    else {
      const work = job.workOnNews?.(this.#services, signal)
      if (work !== undefined) this.#run(job, work)
    }
  }

  #run(job: DueJob<Services>, work: Promise<number>): void {
    this.#running.add(job)
    const ended = work
      .catch((err) => {
        logFailedRun(this.#services, job, err)
        announceDueSoon(this.#services)
      })
      .finally(() => {
        this.#running.delete(job)
        if (this.#hasMissedNews) this.#upcoming.announceNews()
        this.#hasMissedNews = false
      })
    void this.#services.tasks.add(ended)
  }
}
