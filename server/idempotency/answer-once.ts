import { keyInProgress, keyReused, Refused } from '../kit/refusals.ts'
import type { Sql } from '../kit/sql.ts'
import { CommitUnknown, RowLocked } from '../kit/sql.ts'
import type { Services } from '../services.ts'
import type { KeyedRequest } from './store.ts'
import { claimKey, keepAnswer, keptAnswer } from './store.ts'

/** How long a kept answer is given again. */
export const keptForMs = 24 * 60 * 60 * 1000

export interface OnceAnswer {
  text: string
  replayed: boolean
}

export const idempotencyRefusals = [keyInProgress, keyReused]

/**
 * Answers requests that carry an Idempotency-Key. Guarantee: the key, the effect and the answer commit together, so
 * however often a request arrives it has one effect, and a crash leaves neither key nor effect. A refusal rolls back
 * the key with everything else: it changed nothing and may be tried again.
 */
export class OnceAnswerer {
  readonly #services: Services
  readonly #underWay = new Set<string>()

  constructor(services: Services) {
    this.#services = services
  }

  /** `work` answers the bytes to send; all it does, it does through the services it is handed. */
  async answer(request: KeyedRequest, work: (services: Services) => Promise<string>): Promise<OnceAnswer> {
    const name = `${request.merchantId} ${request.key}`
    if (this.#underWay.has(name)) throw new Refused(keyInProgress, { retryAfterS: 1 })
    this.#underWay.add(name)
    try {
      return await this.#attempt(request, work)
    } catch (error) {
      // Whether it was committed is not known, but the key knows: asking again either finds the answer or does the work.
      if (error instanceof CommitUnknown) return await this.#attempt(request, work)
      throw error
    } finally {
      this.#underWay.delete(name)
    }
  }

  #attempt(request: KeyedRequest, work: (services: Services) => Promise<string>): Promise<OnceAnswer> {
    const now = this.#services.clock.now()
    return this.#services.sql.transaction(async (sql) => {
      if (!(await this.#claim(sql, request, now))) {
        const kept = await keptAnswer(sql, request)
        if (!kept) throw new Refused(keyInProgress, { retryAfterS: 1 })
        if (!kept.fingerprint.equals(request.fingerprint)) throw new Refused(keyReused)
        return { text: kept.answer, replayed: true }
      }
      const text = await work({ ...this.#services, sql })
      await keepAnswer(sql, request, text)
      return { text, replayed: false }
    })
  }

  /** Somebody else, on another copy, has been about to use the key for longer than we wait. */
  async #claim(sql: Sql, request: KeyedRequest, now: Date): Promise<boolean> {
    try {
      return await claimKey(sql, request, now, new Date(now.getTime() - keptForMs))
    } catch (error) {
      throw error instanceof RowLocked ? new Refused(keyInProgress, { retryAfterS: 1 }) : error
    }
  }
}
