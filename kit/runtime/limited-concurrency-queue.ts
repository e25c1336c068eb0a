import { runAfterPendingIo } from './clock.ts'
import type { MaybePromise } from './maybe-promise.ts'

/**
 * Work that may wait, done in order of arrival. Guarantee: one turn of the event loop begins at most `atOnce`
 * items, and at most `atOnce` are under way. Other events therefore wait for a few items at most, however
 * long the queue is.
 */
export class LimitedConcurrencyQueue {
  readonly #atOnce: number
  readonly #waiting: (() => Promise<void>)[] = []
  #running = 0
  #isScheduled = false

  constructor(atOnce: number) {
    this.#atOnce = atOnce
  }

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
