import { Refused, serviceUnavailable } from '../../kit/input/refusals.ts'
import { LimitedConcurrencyQueue } from '../../kit/runtime/limited-concurrency-queue.ts'

const atOnce = 2
/** A picture that waits holds its bytes in memory. */
export const maxPictures = 64
/** Fewer than all, so that the pictures of one merchant do not keep out those of the others. */
export const maxPicturesPerMerchant = 16

/**
 * Pictures under way in this instance. Guarantee: there are few processes, a bounded number of pictures waits for one, and
 * merchants take turns.
 */
export class EncodingQueue {
  readonly #queue = new LimitedConcurrencyQueue(atOnce)
  readonly #byMerchant = new Map<number, { queue: LimitedConcurrencyQueue; count: number }>()
  #count = 0

  async run<Result>(merchantId: number, work: () => Promise<Result>): Promise<Result> {
    const own = this.#byMerchant.get(merchantId) ?? { queue: new LimitedConcurrencyQueue(1), count: 0 }
    if (own.count >= maxPicturesPerMerchant || this.#count >= maxPictures)
      throw new Refused(serviceUnavailable, { retryAfterS: 2 })
    this.#byMerchant.set(merchantId, own)
    own.count++
    this.#count++
    try {
      return await own.queue.run(() => this.#queue.run(work))
    } finally {
      this.#count--
      if (--own.count === 0) this.#byMerchant.delete(merchantId)
    }
  }
}
