import type { Clock } from '../runtime/clock.ts'

/** Number of requests allowed in a burst, and the refill per second. */
export interface RateLimit {
  burst: number
  perSecond: number
}

/** Names among which a bucket is kept. Dropping a bucket refills it. */
const namesInUse = 100_000

interface Bucket {
  left: number
  atMs: number
}

/**
 * Token buckets by name, in the memory of this process. Guarantees: in any time t a name takes at most `burst
 * + t * perSecond`, as long as at most 100,000 names are in use; waiting as long as told is enough for the
 * next request.
 */
export class RateLimiter {
  readonly #size: RateLimit
  readonly #clock: Clock
  #buckets = new Map<number | string, Bucket>()
  /** Buckets before the last 100,000 names. They are dropped together, because deleting from a Map is slow. */
  #older = new Map<number | string, Bucket>()

  constructor(size: RateLimit, clock: Clock) {
    this.#size = size
    this.#clock = clock
  }

  get size(): number {
    return this.#buckets.size + this.#older.size
  }

  /** Takes one token. Returns 0, or the seconds to wait if the bucket is empty. */
  take(name: number | string): number {
    const atMs = this.#clock.monotonicMs()
    const left = this.#leftIn(this.#bucketOf(name), atMs)
    this.#buckets.set(name, { left: left >= 1 ? left - 1 : left, atMs })
    if (this.#buckets.size >= namesInUse) {
      this.#older = this.#buckets
      this.#buckets = new Map()
    }
    return left >= 1 ? 0 : Math.max(1, Math.ceil((1 - left) / this.#size.perSecond))
  }

  /** True if the bucket is empty. The check takes nothing. */
  isEmpty(name: number | string): boolean {
    const bucket = this.#bucketOf(name)
    return bucket !== undefined && this.#leftIn(bucket, this.#clock.monotonicMs()) < 1
  }

  #bucketOf(name: number | string): Bucket | undefined {
    return this.#buckets.get(name) ?? this.#older.get(name)
  }

  #leftIn(bucket: Bucket | undefined, nowMs: number): number {
    const { burst, perSecond } = this.#size
    return bucket ? Math.min(burst, bucket.left + ((nowMs - bucket.atMs) / 1000) * perSecond) : burst
  }
}
