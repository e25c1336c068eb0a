import type { Clock } from '../../kit/runtime/clock.ts'
import type { Sql } from '../../kit/runtime/sql.ts'
import { DatabaseNotReached } from '../../kit/runtime/sql.ts'

/** Longest wait for a turn. Callers do not wait much longer either. */
const longestWaitMs = 15_000
/** Searches that may wait per connection. More would hardly get their turn in time. */
const waitingForEach = 100

/**
 * Searches take turns on their own connections: `atOnce` run at the same time, the others wait in order of
 * arrival. Guarantees: a search waits once, however many queries it has; one that cannot get its turn in time
 * is refused immediately; slow searches delay nothing else.
 */
export class SearchQueue {
  readonly #sql: Sql
  readonly #atOnce: number
  readonly #clock: Clock
  /** Functions that start the waiting searches, in order of arrival. */
  readonly #waiting = new Set<() => void>()
  #running = 0

  /** `sql` must have at least `atOnce` connections. */
  constructor(sql: Sql, atOnce: number, clock: Clock) {
    this.#sql = sql
    this.#atOnce = atOnce
    this.#clock = clock
  }

  get waitingCount(): number {
    return this.#waiting.size
  }

  async run<Result>(search: (sql: Sql) => Promise<Result>): Promise<Result> {
    if (this.#running < this.#atOnce) this.#running += 1
    else await this.#waitForSlot()
    try {
      return await search(this.#sql)
    } finally {
      this.#handOn()
    }
  }

  /** Resolves when a completed search passes its turn on. */
  async #waitForSlot(): Promise<void> {
    if (this.#waiting.size >= this.#atOnce * waitingForEach)
      throw new DatabaseNotReached('too many searches wait')
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#waiting.add(resolve)
    const giveUp = () => {
      // A turn that arrived at the same moment is taken, otherwise it would be lost.
      if (this.#waiting.delete(resolve)) reject(new DatabaseNotReached('other searches took too long'))
    }
    await promise.finally(this.#clock.startTimer(longestWaitMs, giveUp))
  }

  #handOn(): void {
    const [next] = this.#waiting
    if (!next) {
      this.#running -= 1
      return
    }
    this.#waiting.delete(next)
    next()
  }
}
