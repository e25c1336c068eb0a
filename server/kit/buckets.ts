import type { Clock } from './clock.ts'

/** How much may be taken at once, and how much comes back per second. */
export interface BucketSize {
  burst: number
  perSecond: number
}

/** Forgetting a bucket gives it back its burst, so only the fullest of very many are ever forgotten: those at rest. */
const bucketsAtMost = 100_000

/**
 * Token buckets by name, in the memory of this process. Guarantee: over any time t a name takes at most
 * `burst + t * perSecond`, and waiting as long as told is enough for the next one.
 */
export class Buckets {
  readonly #size: BucketSize
  readonly #clock: Clock
  readonly #buckets = new Map<number | string, { left: number; atMs: number }>()

  constructor(size: BucketSize, clock: Clock) {
    this.#size = size
    this.#clock = clock
  }

  get size(): number {
    return this.#buckets.size
  }

  /** Takes one. Answers 0, or the seconds to wait when there is none. */
  take(name: number | string): number {
    const now = this.#clock.monotonicMs()
    const { burst, perSecond } = this.#size
    let bucket = this.#buckets.get(name)
    if (bucket) {
      bucket.left = Math.min(burst, bucket.left + ((now - bucket.atMs) / 1000) * perSecond)
      bucket.atMs = now
    } else {
      if (this.#buckets.size >= bucketsAtMost) this.#forgetOldest()
      bucket = { left: burst, atMs: now }
      this.#buckets.set(name, bucket)
    }
    if (bucket.left >= 1) {
      bucket.left -= 1
      return 0
    }
    return Math.max(1, Math.ceil((1 - bucket.left) / perSecond))
  }

  #forgetOldest(): void {
    const count = bucketsAtMost / 10
    const oldest = [...this.#buckets].sort(([, a], [, b]) => a.atMs - b.atMs).slice(0, count)
    for (const [name] of oldest) this.#buckets.delete(name)
  }
}
