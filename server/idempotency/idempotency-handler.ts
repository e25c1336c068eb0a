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

/** Slow work that writes nothing. A response that is stored already needs none of it. */
type Convert = (services: Services) => Promise<void>

type Prepare = (services: Services) => Promise<ResultWithPendingWrite<string> | undefined>

/** Runs work with the services of a request, until its deadline. */
type Within = (work: (services: Services) => Promise<IdempotentResponse>) => Promise<IdempotentResponse>

export const idempotencyRefusals = [idempotencyKeyInProgress, idempotencyKeyReused]

/**
 * Answers requests with an Idempotency-Key. Guarantee: the key, the effect and the response commit together,
 * so a repeated request has one effect, and a crash leaves neither key nor effect. A refusal or an expired
 * deadline rolls back the key too, so the request can be sent again.
 */
export class IdempotencyHandler {
  readonly #inProgressKeys = new Set<string>()

  /**
   * `work` returns the bytes to send and must write through the services it is given. `prepare` may return
   * them before any write: then key, effect and response are one query, and `work` runs only if that query
   * wrote nothing. `convert` runs before both, outside the transaction.
   */
  async answer(
    request: KeyedRequest,
    within: Within,
    work: Work,
    prepare?: Prepare,
    convert?: Convert,
  ): Promise<IdempotentResponse> {
    const name = `${request.merchantId} ${request.key}`
    if (this.#inProgressKeys.has(name)) throw inProgress()
    this.#inProgressKeys.add(name)
    try {
      return await within(async (services) => {
        const stored = convert && (await replay(services.sql, request, services.clock.now()))
        if (stored) return stored
        await convert?.(services)
        return this.#answer(services, request, work, prepare)
      })
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
      // The outcome of the commit is unknown, but the key decides: a second attempt finds the response or
      // does the work.
      if (error instanceof CommitUnknown) return await this.#attempt(services, request, work)
      throw error
    }
  }

  /**
   * Writes a prepared response. Undefined if none was prepared, nothing was written, or the outcome is
   * unknown.
   */
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
      if (!(await claimKey(sql, request, now).catch(refuseIfLocked))) {
        const stored = await replay(sql, request, now)
        if (!stored) throw inProgress()
        return stored
      }
      const text = await work({ ...services, sql })
      await storeResponse(sql, request, text)
      return { text, replayed: false }
    })
  }
}

/** The stored response of a key, unless the key is free or expired. */
async function replay(
  database: Sql,
  request: KeyedRequest,
  now: Date,
): Promise<IdempotentResponse | undefined> {
  const stored = await storedResponse(database, request, now)
  if (!stored) return undefined
  if (!stored.fingerprint.equals(request.fingerprint)) throw new Refused(idempotencyKeyReused)
  return { text: stored.answer, replayed: true }
}

/** Another instance holds the key longer than the lock timeout. */
function refuseIfLocked(error: unknown): never {
  throw error instanceof RowLocked ? inProgress() : error
}

/** Ignores a refusal, because the same key may have a stored response from an earlier request. */
function unlessRefused(error: unknown): undefined {
  if (!(error instanceof Refused)) throw error
}

function inProgress(): Refused {
  return new Refused(idempotencyKeyInProgress, { retryAfterS: 1 })
}
