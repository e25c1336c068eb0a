import type { Query, Sql } from '../../kit/runtime/sql.ts'
import type { OwnedId } from './owned-id.ts'

/** Rows of one merchant, as a list in JSON. */
export interface BatchQueryParameters {
  merchantId: number
  rows: string
}

/**
 * A query that takes rows and answers one, with its `id`, for each that it wrote or found. Made once: it stands for
 * what goes together.
 */
export type BatchQuery = (values: BatchQueryParameters) => Query

/** The database of the service, which also runs one query for rows of many requests of a merchant. */
export interface BatchingSql extends Sql {
  /**
   * Runs a query for a row, in one batch with the rows that others have for it at this moment, of the same merchant.
   * Answers what it answered for this one. What is wrong with another's row does not touch this one.
   */
  batch<Answer extends { id: number }, Row extends OwnedId = OwnedId>(
    query: BatchQuery,
    row: Row,
  ): Promise<Answer | undefined>
  transaction<Result>(work: (sql: BatchingSql) => Promise<Result>, late?: AbortSignal): Promise<Result>
}
