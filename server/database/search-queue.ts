import type { Clock } from '../../kit/runtime/clock.ts'
import type { Sql } from '../../kit/runtime/sql.ts'
import { DatabaseNotReached } from '../../kit/runtime/sql.ts'

/** Longest wait for a turn. Whoever asked does not wait much longer either. */
const longestWaitMs = 15_000
/** Searches that may wait for each one under way. More would hardly have their turn in time. */
const waitingForEach = 100

/**
 * Searches take turns on connections that are for them alone: so many at once, the others as they came. Guarantee: a search
 * waits once, however many queries it has, and is answered if its turn comes in time; one that cannot hope for that is
 * refused at once. However slow searches are, nothing else waits for them.
 */
export class SearchQueue {
  readonly #sql: Sql
  readonly #atOnce: number
  readonly #clock: Clock
  /** Functions that give waiting searches their turn, in the order of their arrival. */
  readonly #waiting = new Set<() => void>()
  #running = 0

  /** The connections of `sql` must be at least as many as may search at once. */
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

  /** Settles when a search that is over hands its turn on to this one. */
  async #waitForSlot(): Promise<void> {
    if (this.#waiting.size >= this.#atOnce * waitingForEach)
      throw new DatabaseNotReached('too many searches wait')
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#waiting.add(resolve)
    const settled = new AbortController()
    const giveUp = () => {
      // A turn that was handed over at the same moment is taken: nobody else would hand it on.
      if (this.#waiting.delete(resolve)) reject(new DatabaseNotReached('other searches took too long'))
    }
    this.#clock.sleep(longestWaitMs, settled.signal).then(giveUp, () => undefined)
    await promise.finally(() => settled.abort())
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
