import type { Clock } from '../runtime/clock.ts'

/** Number of requests allowed in a burst, and the refill per second. */
export interface RateLimit {
  burst: number
  perSecond: number
}

/**
 * Dropping a bucket refills it. Above this number the bucket that was idle longest is dropped, because it is
 * the fullest.
 */
const maxBuckets = 100_000

/**
 * A linked list in the order of last use. A Map's own order is too slow: deleted entries stay in it for long.
 */
interface Bucket {
  name: number | string
  left: number
  atMs: number
  older: Bucket | undefined
  newer: Bucket | undefined
}

/**
 * Token buckets by name, in the memory of this process. Guarantees: in any time t a name takes at most `burst
 * + t * perSecond`, as long as at most 100,000 names are in use; waiting as long as told is enough for the
 * next request.
 */
export class RateLimiter {
  readonly #size: RateLimit
  readonly #clock: Clock
  readonly #buckets = new Map<number | string, Bucket>()
  #oldest: Bucket | undefined
  #newest: Bucket | undefined

  constructor(size: RateLimit, clock: Clock) {
    this.#size = size
    this.#clock = clock
  }

  get size(): number {
    return this.#buckets.size
  }

  /** Takes one token. Returns 0, or the seconds to wait if the bucket is empty. */
  take(name: number | string): number {
    const now = this.#clock.monotonicMs()
    const bucket = this.#buckets.get(name) ?? this.#add(name, now)
    const left = this.#leftIn(bucket, now)
    bucket.left = left >= 1 ? left - 1 : left
    bucket.atMs = now
    this.#moveToEnd(bucket)
    if (this.#buckets.size > maxBuckets) this.#forgetOldest()
    return left >= 1 ? 0 : Math.max(1, Math.ceil((1 - left) / this.#size.perSecond))
  }

  /** True if the bucket is empty. The check takes nothing. */
  isEmpty(name: number | string): boolean {
    const bucket = this.#buckets.get(name)
    return bucket !== undefined && this.#leftIn(bucket, this.#clock.monotonicMs()) < 1
  }

  #leftIn({ left, atMs }: Bucket, now: number): number {
    return Math.min(this.#size.burst, left + ((now - atMs) / 1000) * this.#size.perSecond)
  }

  #add(name: number | string, atMs: number): Bucket {
    const bucket = { name, left: this.#size.burst, atMs, older: undefined, newer: undefined }
    this.#buckets.set(name, bucket)
    return bucket
  }

  #moveToEnd(bucket: Bucket): void {
    if (bucket === this.#newest) return
    this.#takeOut(bucket)
    bucket.older = this.#newest
    if (this.#newest) this.#newest.newer = bucket
    this.#newest = bucket
    this.#oldest ??= bucket
  }

  #takeOut(bucket: Bucket): void {
    const { older, newer } = bucket
    if (older) older.newer = newer
    if (newer) newer.older = older
    if (bucket === this.#oldest) this.#oldest = newer
    bucket.older = undefined
    bucket.newer = undefined
  }

  #forgetOldest(): void {
    const oldest = this.#oldest
    if (!oldest) return
    this.#takeOut(oldest)
    this.#buckets.delete(oldest.name)
  }
}
