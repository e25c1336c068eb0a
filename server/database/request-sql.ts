import type { CombinedWrite, Query } from '../../kit/runtime/sql.ts'
import type { BatchingSql, BatchQuery } from './batching-sql.ts'
import type { OwnedId } from './owned-id.ts'

/**
 * The database of one request. Guarantee: once it has ended, no query is sent through it and its open
 * transaction is over. Rows still share batches with other requests.
 */
export class RequestSql implements BatchingSql {
  readonly #inner: BatchingSql
  #whyOver: Error | undefined
  /** Aborted at the end. Most requests open no transaction, and need none. */
  #transactions: AbortController | undefined

  constructor(inner: BatchingSql) {
    this.#inner = inner
  }

  end(why: Error): void {
    this.#whyOver = why
    this.#transactions?.abort(why)
  }

  /** The database without the request's deadline. */
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

  batch<Answer extends { id: number }>(query: BatchQuery, row: OwnedId): Promise<Answer | undefined> {
    return this.#refusal() ?? this.#inner.batch(query, row)
  }

  transaction<Result>(work: (sql: BatchingSql) => Promise<Result>): Promise<Result> {
    return this.#refusal() ?? this.#inner.transaction(work, this.#endSignal())
  }

  write<Row extends object>(write: CombinedWrite): Promise<Row | undefined> {
    return this.#refusal() ?? this.#inner.write(write)
  }

  #endSignal(): AbortSignal {
    this.#transactions ??= new AbortController()
    return this.#transactions.signal
  }

  #refusal(): Promise<never> | undefined {
    return this.#whyOver && Promise.reject(this.#whyOver)
  }
}

/** Services without the deadline, for data to be written even late: an outside party was already told. */
export function servicesWithoutDeadline<Needs extends { sql: BatchingSql }>(services: Needs): Needs {
  return services.sql instanceof RequestSql ? { ...services, sql: services.sql.lasting } : services
}
