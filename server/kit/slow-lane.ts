import { atEndOfTurn } from './clock.ts'
import type { Eventually } from './eventually.ts'

/**
 * Work that may wait, done in the order of its arrival. Guarantee: in one turn of the event loop no more than `atOnce` pieces of
 * it are begun, and no more are under way, so that whatever else arrives waits for a few of them, however many there are.
 */
export class SlowLane {
  readonly #atOnce: number
  readonly #waiting: (() => Promise<void>)[] = []
  #underWay = 0
  #isTurnDue = false

  constructor(atOnce: number) {
    this.#atOnce = atOnce
  }

  /** Settles as the work does. */
  run<Result>(work: () => Eventually<Result>): Promise<Result> {
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
    if (this.#isTurnDue || this.#waiting.length === 0 || this.#underWay >= this.#atOnce) return
    this.#isTurnDue = true
    atEndOfTurn(() => this.#takeTurn())
  }

  #takeTurn(): void {
    this.#isTurnDue = false
    for (const begin of this.#waiting.splice(0, this.#atOnce - this.#underWay)) {
      this.#underWay += 1
      void begin().then(() => {
        this.#underWay -= 1
        this.#goOn()
      })
    }
  }
}
