import type { Clock } from './clock.ts'

/** How much may be taken at once, and how much comes back per second. */
export interface BucketSize {
  burst: number
  perSecond: number
}

/** Forgetting a bucket gives it back its burst, so of very many the one that rested longest is forgotten: the fullest. */
const bucketsAtMost = 100_000

/**
 * Token buckets by name, in the memory of this process. Guarantee: over any time t a name takes at most
 * `burst + t * perSecond`, as long as no more than a hundred thousand names are in use; and waiting as long as told is enough for the next one.
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
    const known = this.#buckets.get(name)
    const left = known ? Math.min(burst, known.left + ((now - known.atMs) / 1000) * perSecond) : burst
    const bucket = { left: left >= 1 ? left - 1 : left, atMs: now }
    // Set anew, so that the map is in the order of last use and the first of it has rested longest.
    this.#buckets.delete(name)
    this.#buckets.set(name, bucket)
    if (this.#buckets.size > bucketsAtMost) this.#forgetFirst()
    return left >= 1 ? 0 : Math.max(1, Math.ceil((1 - left) / perSecond))
  }

  #forgetFirst(): void {
    const [first] = this.#buckets.keys()
    if (first !== undefined) this.#buckets.delete(first)
  }
}
