import type { Query, Sql } from '../../kit/runtime/sql.ts'
import type { OwnedId } from './owned-id.ts'

/** Rows of one merchant as a JSON list. */
export interface BatchQueryParameters {
  merchantId: number
  rows: string
}

/**
 * A query that takes rows and returns one row with its `id` for each that it wrote or found. Created once:
 * rows with the same function share a batch.
 */
export interface BatchQuery {
  (values: BatchQueryParameters): Query
  /** Form for a distributed database, where an insert from JSON would take a detour over the coordinator. */
  readonly distributed?: (database: Sql, rows: readonly OwnedId[]) => Promise<{ id: number }[]>
}

/** A batch query with its form for a distributed database. */
export function batchQuery<Row extends OwnedId>(
  query: (values: BatchQueryParameters) => Query,
  distributed: (database: Sql, rows: readonly Row[]) => Promise<{ id: number }[]>,
): BatchQuery {
  // The callers of `batch` pass rows of the type that the query is written for.
  return Object.assign((values: BatchQueryParameters) => query(values), { distributed } as BatchQuery)
}

/** The service's database, with batches: one query for rows of many requests of a merchant. */
export interface BatchingSql extends Sql {
  /**
   * Runs the query for a row, in one batch with other rows of the same merchant that are pending now. Returns
   * the result for this row. A fault in another row does not affect it.
   */
  batch<Answer extends { id: number }>(query: BatchQuery, row: OwnedId): Promise<Answer | undefined>
  transaction<Result>(work: (sql: BatchingSql) => Promise<Result>, late?: AbortSignal): Promise<Result>
}
