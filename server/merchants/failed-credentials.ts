import { RateLimiter } from '../../kit/http/rate-limiter.ts'
import { BoundedCache } from '../../kit/runtime/bounded-cache.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { Log } from '../../kit/runtime/log.ts'
import type { Metrics } from '../../kit/runtime/metrics.ts'

const logEveryMs = 1_000

/** Refusals of a sender that are not logged yet. */
interface Unlogged {
  count: number
  /** True if a line about them is pending. */
  isLineDue: boolean
}

/**
 * Counts invalid credentials by sender. Guarantee: for a sender over its limit the log gets one line
 * immediately and then at most one a second, each with the number of refusals since the last; no refusal is
 * left out.
 */
export class FailedCredentials {
  readonly #clock: Clock
  readonly #log: Log
  readonly #buckets: RateLimiter
  readonly #counter
  readonly #unlogged = new BoundedCache<string, Unlogged>(10_000)

  constructor(perMinute: number, { clock, log, metrics }: { clock: Clock; log: Log; metrics: Metrics }) {
    this.#clock = clock
    this.#log = log
    this.#buckets = new RateLimiter({ burst: perMinute, perSecond: perMinute / 60 }, clock)
    this.#counter = metrics.counter(
      'vezne_failed_credentials_total',
      'Requests whose credential is missing or not valid.',
    )
  }

  isOverLimit(sender: string): boolean {
    return this.#buckets.isEmpty(sender)
  }

  /** Counts one failure. Returns 0, or the seconds to wait if the sender is over its limit. */
  count(sender: string): number {
    this.#counter.inc()
    const waitS = this.#buckets.take(sender)
    if (waitS > 0) this.#noteRefusal(sender)
    return waitS
  }

  #noteRefusal(sender: string): void {
    const unlogged = this.#unlogged.get(sender, () => ({ count: 0, isLineDue: false }))
    unlogged.count += 1
    if (unlogged.isLineDue) return
    this.#writeLine(sender, unlogged)
    void this.#writeNext(sender, unlogged)
  }

  /** Logs the refusals of each second for as long as there are any. */
  async #writeNext(sender: string, unlogged: Unlogged): Promise<void> {
    unlogged.isLineDue = true
    do await this.#clock.sleep(logEveryMs)
    while (this.#writeLine(sender, unlogged))
    unlogged.isLineDue = false
  }

  /** Logs a line if there were refusals. Returns true if it did. */
  #writeLine(sender: string, unlogged: Unlogged): boolean {
    const { count } = unlogged
    if (count > 0)
      this.#log.warn(
        { sender, count },
        'requests of a sender with too many bad credentials were answered 429',
      )
    unlogged.count = 0
    return count > 0
  }
}
