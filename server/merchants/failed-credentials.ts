import { Buckets } from '../kit/buckets.ts'
import type { Clock } from '../kit/clock.ts'
import type { Log } from '../kit/log.ts'
import type { Metrics } from '../kit/metrics.ts'

const toldEveryMs = 1_000
const rememberedAtMost = 10_000

/** How many refusals of a sender no line of the log has told of yet. */
interface Untold {
  count: number
  toldAtMs: number
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
  readonly #untold = new Map<string, Untold>()

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
    if (waitS > 0) this.#tell(sender)
    return waitS
  }

  #tell(sender: string): void {
    const nowMs = this.#clock.monotonicMs()
    const untold = this.#untold.get(sender) ?? this.#add(sender)
    untold.count += 1
    if (nowMs - untold.toldAtMs < toldEveryMs) return
    this.#log.warn({ sender, count: untold.count }, 'a sender of too many bad credentials was refused')
    untold.count = 0
    untold.toldAtMs = nowMs
  }

  #add(sender: string): Untold {
    if (this.#untold.size >= rememberedAtMost) this.#untold.clear()
    const untold = { count: 0, toldAtMs: Number.NEGATIVE_INFINITY }
    this.#untold.set(sender, untold)
    return untold
  }
}
