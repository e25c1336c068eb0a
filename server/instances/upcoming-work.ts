import type { Services } from '../services.ts'

/** Longest pause between two searches for due work. */
export const longestPauseMs = 5_000

/**
 * Due work that this process knows of and that the next search would find too late: what it has just written,
 * and what the last search found to be due soon.
 */
export class UpcomingWork {
  #earliest: Date | undefined
  #hasNews = false
  #wake = new AbortController()

  /** Earliest announced time. */
  get earliest(): Date | undefined {
    return this.#earliest
  }

  /** Announces that something is due at a time. A later search finds what is due after the longest pause. */
  announce(at: Date | null | undefined, now: Date): void {
    if (!at || at.getTime() - now.getTime() > longestPauseMs) return
    if (this.#earliest && this.#earliest <= at) return
    this.#earliest = at
    this.wake()
  }

  /** Announces that a job knows of something that is due now. */
  announceNews(): void {
    this.#hasNews = true
    this.wake()
  }

  takeEarliest(): Date | undefined {
    const at = this.#earliest
    this.#earliest = undefined
    return at
  }

  takeNews(): boolean {
    const had = this.#hasNews
    this.#hasNews = false
    return had
  }

  wake(): void {
    this.#wake.abort()
  }

  /** Aborted at the next announcement. */
  listen(): AbortSignal {
    if (this.#wake.signal.aborted) this.#wake = new AbortController()
    return this.#wake.signal
  }
}

const create = () => new UpcomingWork()

/** Pause before work that failed, or whose transaction was not committed yet, is looked for again. */
const soonMs = 1_000

/** Announces that something may be due in a second. */
export function announceDueSoon(services: Pick<Services, 'processState' | 'clock'>): void {
  const now = services.clock.now()
  upcomingWork(services).announce(new Date(now.getTime() + soonMs), now)
}

/** Announces that something is due now. */
export function announceDueNow(services: Pick<Services, 'processState' | 'clock'>): void {
  const now = services.clock.now()
  upcomingWork(services).announce(now, now)
}

export function upcomingWork({ processState }: Pick<Services, 'processState'>): UpcomingWork {
  return processState.of(create)
}
