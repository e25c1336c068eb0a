import { Buckets } from '../kit/buckets.ts'
import type { Clock } from '../kit/clock.ts'
import type { Log } from '../kit/log.ts'
import type { Metrics } from '../kit/metrics.ts'

const logEveryMs = 1_000
const rememberedAtMost = 10_000

/** Refusals of a sender that the log has no line for yet. */
interface Unlogged {
  count: number
  loggedAtMs: number
}

/**
 * Counts bad credentials by who sends them. Guarantee: of a sender over its limit the log has one line a second at most,
 * with how many were refused since the line before.
 */
export class FailedCredentials {
  readonly #clock: Clock
  readonly #log: Log
  readonly #buckets: Buckets
  readonly #counter
  readonly #unlogged = new Map<string, Unlogged>()

  constructor(perMinute: number, { clock, log, metrics }: { clock: Clock; log: Log; metrics: Metrics }) {
    this.#clock = clock
    this.#log = log
    this.#buckets = new Buckets({ burst: perMinute, perSecond: perMinute / 60 }, clock)
    this.#counter = metrics.counter(
      'vezne_failed_credentials_total',
      'Requests whose credential is missing or not valid.',
    )
  }

  isOverLimit(sender: string): boolean {
    return this.#buckets.isEmpty(sender)
  }

  /** Counts one. Answers 0, or the seconds to wait of a sender over its limit. */
  count(sender: string): number {
    this.#counter.inc()
    const waitS = this.#buckets.take(sender)
    if (waitS > 0) this.#noteRefusal(sender)
    return waitS
  }

  #noteRefusal(sender: string): void {
    const nowMs = this.#clock.monotonicMs()
    const unlogged = this.#unlogged.get(sender) ?? this.#add(sender)
    unlogged.count += 1
    if (nowMs - unlogged.loggedAtMs < logEveryMs) return
    this.#log.warn({ sender, count: unlogged.count }, 'a sender of too many bad credentials was refused')
    unlogged.count = 0
    unlogged.loggedAtMs = nowMs
  }

  #add(sender: string): Unlogged {
    if (this.#unlogged.size >= rememberedAtMost) this.#unlogged.clear()
    const unlogged = { count: 0, loggedAtMs: Number.NEGATIVE_INFINITY }
    this.#unlogged.set(sender, unlogged)
    return unlogged
  }
}
