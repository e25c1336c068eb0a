import type { Query } from '../../kit/runtime/sql.ts'
import type { BatchingSql, BatchQuery } from './batching-sql.ts'
import type { OwnedId } from './owned-id.ts'

/**
 * The database for one request. Guarantee: once the signal is aborted nothing is asked through it any more, and a transaction
 * that it has opened is over. Rows share a batch with those of other requests all the same.
 */
export class RequestSql implements BatchingSql {
  readonly #inner: BatchingSql
  readonly #late: AbortSignal

  constructor(inner: BatchingSql, late: AbortSignal) {
    this.#inner = inner
    this.#late = late
  }

  /** The database beyond the deadline of the request. */
  get lasting(): BatchingSql {
    return this.#inner
  }

  many<Row extends object>(query: Query): Promise<Row[]> {
    return this.#refusal() ?? this.#inner.many(query)
  }

  one<Row extends object>(query: Query): Promise<Row> {
    return this.#refusal() ?? this.#inner.one(query)
  }

  maybe<Row extends object>(query: Query): Promise<Row | undefined> {
    return this.#refusal() ?? this.#inner.maybe(query)
  }

  run(query: Query): Promise<number> {
    return this.#refusal() ?? this.#inner.run(query)
  }

  batch<Answer extends { id: number }, Row extends OwnedId = OwnedId>(
    query: BatchQuery,
    row: Row,
  ): Promise<Answer | undefined> {
    return this.#refusal() ?? this.#inner.batch(query, row)
  }

  transaction<Result>(work: (sql: BatchingSql) => Promise<Result>): Promise<Result> {
    return this.#refusal() ?? this.#inner.transaction(work, this.#late)
  }

  #refusal(): Promise<never> | undefined {
    return this.#late.aborted ? Promise.reject(this.#late.reason) : undefined
  }
}

/**
 * The services without the deadline of a request: for what has to be written however late it is, because somebody outside was
 * told already.
 */
export function servicesWithoutDeadline<Needs extends { sql: BatchingSql }>(services: Needs): Needs {
  return services.sql instanceof RequestSql ? { ...services, sql: services.sql.lasting } : services
}
