import { runAfterPendingIo } from './clock.ts'
import type { MaybePromise } from './maybe-promise.ts'

/**
 * Work that may wait, done in the order of its arrival. Guarantee: in one turn of the event loop no more than `atOnce` pieces of
 * it are begun, and no more are under way, so that whatever else arrives waits for a few of them, however many there are.
 */
export class LimitedConcurrencyQueue {
  readonly #atOnce: number
  readonly #waiting: (() => Promise<void>)[] = []
  #running = 0
  #isScheduled = false

  constructor(atOnce: number) {
    this.#atOnce = atOnce
  }

  /** Settles as the work does. */
  run<Result>(work: () => MaybePromise<Result>): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    this.#waiting.push(async () => {
      try {
        resolve(await work())
      } catch (error) {
        reject(error)
      }
    })
    this.#goOn()
    return promise
  }

  #goOn(): void {
    if (this.#isScheduled || this.#waiting.length === 0 || this.#running >= this.#atOnce) return
    this.#isScheduled = true
    runAfterPendingIo(() => this.#startWaiting())
  }

  #startWaiting(): void {
    this.#isScheduled = false
    for (const begin of this.#waiting.splice(0, this.#atOnce - this.#running)) {
      this.#running += 1
      void begin().then(() => {
        this.#running -= 1
        this.#goOn()
      })
    }
  }
}
