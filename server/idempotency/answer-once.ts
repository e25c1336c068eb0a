import { keyInProgress, keyReused, Refused } from '../kit/refusals.ts'
import type { Prepared } from '../kit/route.ts'
import type { Sql } from '../kit/sql.ts'
import { CommitUnknown, DatabaseUnavailable, RowLocked, Unreached } from '../kit/sql.ts'
import type { Services } from '../services.ts'
import type { KeyedRequest } from './store.ts'
import { claimKey, keepAnswer, keptAnswer } from './store.ts'

export interface OnceAnswer {
  text: string
  replayed: boolean
}

type Work = (services: Services) => Promise<string>

type Prepare = () => Promise<Prepared<string> | undefined>

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

  /**
   * `work` answers the bytes to send; all it does, it does through the services it is handed. `prepare` may know them
   * before: then key, effect and answer are one statement, and `work` is left for when that did not do it.
   */
  async answer(request: KeyedRequest, work: Work, prepare?: Prepare): Promise<OnceAnswer> {
    const name = `${request.merchantId} ${request.key}`
    if (this.#underWay.has(name)) throw inProgress()
    this.#underWay.add(name)
    try {
      return (await this.#writePrepared(request, prepare)) ?? (await this.#attempt(request, work))
    } catch (error) {
      // Whether it was committed is not known, but the key knows: asking again either finds the answer or does the work.
      if (error instanceof CommitUnknown) return await this.#attempt(request, work)
      throw error
    } finally {
      this.#underWay.delete(name)
    }
  }

  /** Undefined when there is no such way, or it wrote nothing, or nobody knows whether it did: the key does. */
  async #writePrepared(request: KeyedRequest, prepare?: Prepare): Promise<OnceAnswer | undefined> {
    const prepared = await prepare?.().catch(unlessRefused)
    if (!prepared) return undefined
    const { key, fingerprint } = request
    const { result: answer, write } = prepared
    try {
      const isWritten = await write({ key, fingerprint, answer, keptAt: this.#services.clock.now() })
      return isWritten ? { text: answer, replayed: false } : undefined
    } catch (error) {
      if (error instanceof RowLocked) throw inProgress()
      if (error instanceof Unreached || !(error instanceof DatabaseUnavailable)) throw error
      return undefined
    }
  }

  #attempt(request: KeyedRequest, work: Work): Promise<OnceAnswer> {
    const now = this.#services.clock.now()
    return this.#services.sql.transaction(async (sql) => {
      if (!(await this.#claim(sql, request, now))) {
        const kept = await keptAnswer(sql, request)
        if (!kept) throw inProgress()
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
      return await claimKey(sql, request, now)
    } catch (error) {
      throw error instanceof RowLocked ? inProgress() : error
    }
  }
}

/** What is refused today may have been answered yesterday, under this very key. */
function unlessRefused(error: unknown): undefined {
  if (!(error instanceof Refused)) throw error
}

function inProgress(): Refused {
  return new Refused(keyInProgress, { retryAfterS: 1 })
}
