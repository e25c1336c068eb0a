import { DatabaseNotReached } from '../../kit/runtime/sql.ts'
import type { BatchingSql } from '../../server/database/batching-sql.ts'

/** The database with some methods replaced by the test. */
export function sqlWith(inner: BatchingSql, changes: Partial<BatchingSql>): BatchingSql {
  return {
    many: (query) => inner.many(query),
    one: (query) => inner.one(query),
    maybe: (query) => inner.maybe(query),
    run: (query) => inner.run(query),
    batch: (query, row) => inner.batch(query, row),
    transaction: (work, late) => inner.transaction(work, late),
    write: (write) => inner.write(write),
    ...changes,
  }
}

/**
 * The database for hundreds of callers that share a few connections on a busy machine. A call that got no
 * connection, and so had no effect, retries.
 */
export function retryingSql(inner: BatchingSql): BatchingSql {
  const retried = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    for (let waits = 0; ; waits++) {
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof DatabaseNotReached) || waits === 20) throw error
      }
    }
  }
  return {
    many: (query) => retried(() => inner.many(query)),
    one: (query) => retried(() => inner.one(query)),
    maybe: (query) => retried(() => inner.maybe(query)),
    run: (query) => retried(() => inner.run(query)),
    batch: (query, row) => retried(() => inner.batch(query, row)),
    transaction: (work, late) => retried(() => inner.transaction(work, late)),
    write: (write) => retried(() => inner.write(write)),
  }
}
