import type { ResultWithPendingWrite } from '../../kit/api/route.ts'
import { idempotencyKeyInProgress, idempotencyKeyReused, Refused } from '../../kit/input/refusals.ts'
import type { Sql } from '../../kit/runtime/sql.ts'
import { CommitUnknown, DatabaseNotReached, DatabaseUnavailable, RowLocked } from '../../kit/runtime/sql.ts'
import type { Services } from '../services.ts'
import type { KeyedRequest } from './store.ts'
import { claimKey, storedResponse, storeResponse } from './store.ts'

export interface IdempotentResponse {
  text: string
  replayed: boolean
}

type Work = (services: Services) => Promise<string>

type Prepare = (services: Services) => Promise<ResultWithPendingWrite<string> | undefined>

/** Runs work with the services of a request, until its deadline. */
type Within = (work: (services: Services) => Promise<IdempotentResponse>) => Promise<IdempotentResponse>

export const idempotencyRefusals = [idempotencyKeyInProgress, idempotencyKeyReused]

/**
 * Answers requests that carry an Idempotency-Key. Guarantee: the key, the effect and the answer commit together, so
 * however often a request arrives it has one effect, and a crash leaves neither key nor effect. A refusal rolls back
 * the key with everything else: it changed nothing and may be tried again. So does the deadline of a request.
 */
export class IdempotencyHandler {
  readonly #inProgressKeys = new Set<string>()

  /**
   * `work` answers the bytes to send; all it does, it does through the services it is handed. `prepare` may know them
   * before: then key, effect and answer are one query, and `work` is left for when that did not do it.
   */
  async answer(
    request: KeyedRequest,
    within: Within,
    work: Work,
    prepare?: Prepare,
  ): Promise<IdempotentResponse> {
    const name = `${request.merchantId} ${request.key}`
    if (this.#inProgressKeys.has(name)) throw inProgress()
    this.#inProgressKeys.add(name)
    try {
      return await within((services) => this.#answer(services, request, work, prepare))
    } finally {
      this.#inProgressKeys.delete(name)
    }
  }

  async #answer(
    services: Services,
    request: KeyedRequest,
    work: Work,
    prepare?: Prepare,
  ): Promise<IdempotentResponse> {
    try {
      const preparedResponse = await this.#writePrepared(services, request, prepare)
      return preparedResponse ?? (await this.#attempt(services, request, work))
    } catch (error) {
      // Whether it was committed is not known, but the key knows: asking again either finds the answer or does the work.
      if (error instanceof CommitUnknown) return await this.#attempt(services, request, work)
      throw error
    }
  }

  /** Writes a prepared answer. Undefined when none was prepared, nothing was written, or only the key knows whether it was. */
  async #writePrepared(
    services: Services,
    request: KeyedRequest,
    prepare?: Prepare,
  ): Promise<IdempotentResponse | undefined> {
    const prepared = await prepare?.(services).catch(unlessRefused)
    if (!prepared) return undefined
    const { key, fingerprint } = request
    const { result: answer, write } = prepared
    try {
      const isWritten = await write({ key, fingerprint, answer, storedAt: services.clock.now() })
      return isWritten ? { text: answer, replayed: false } : undefined
    } catch (error) {
      if (error instanceof RowLocked) throw inProgress()
      if (error instanceof DatabaseNotReached || !(error instanceof DatabaseUnavailable)) throw error
      return undefined
    }
  }

  #attempt(services: Services, request: KeyedRequest, work: Work): Promise<IdempotentResponse> {
    const now = services.clock.now()
    return services.sql.transaction(async (sql) => {
      if (!(await this.#claim(sql, request, now))) {
        const stored = await storedResponse(sql, request)
        if (!stored) throw inProgress()
        if (!stored.fingerprint.equals(request.fingerprint)) throw new Refused(idempotencyKeyReused)
        return { text: stored.answer, replayed: true }
      }
      const text = await work({ ...services, sql })
      await storeResponse(sql, request, text)
      return { text, replayed: false }
    })
  }

  /** Takes the key. Refuses when another instance has been about to use it for longer than we wait. */
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
  return new Refused(idempotencyKeyInProgress, { retryAfterS: 1 })
}
