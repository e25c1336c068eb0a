import { Refused, serviceUnavailable } from '../../kit/input/refusals.ts'
import { LimitedConcurrencyQueue } from '../../kit/runtime/limited-concurrency-queue.ts'

const atOnce = 2
/** A picture that waits holds its bytes in memory. */
export const maxPictures = 64
/** Fewer than all, so that the pictures of one merchant do not keep out those of the others. */
export const maxPicturesPerMerchant = 16

/** Pictures under way in this instance. Guarantee: there are few processes, and a bounded number waits for one. */
export class EncodingQueue {
  readonly #queue = new LimitedConcurrencyQueue(atOnce)
  readonly #byMerchant = new Map<number, number>()
  #count = 0

  async run<Result>(merchantId: number, work: () => Promise<Result>): Promise<Result> {
    const own = this.#byMerchant.get(merchantId) ?? 0
    if (own >= maxPicturesPerMerchant || this.#count >= maxPictures)
      throw new Refused(serviceUnavailable, { retryAfterS: 2 })
    this.#add(merchantId, 1)
    try {
      return await this.#queue.run(work)
    } finally {
      this.#add(merchantId, -1)
    }
  }

  #add(merchantId: number, change: 1 | -1): void {
    this.#count += change
    const own = (this.#byMerchant.get(merchantId) ?? 0) + change
    if (own === 0) this.#byMerchant.delete(merchantId)
    else this.#byMerchant.set(merchantId, own)
  }
}
