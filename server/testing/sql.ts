import type { Sql } from '../kit/sql.ts'
import { Unreached } from '../kit/sql.ts'

/** The database, of which some ways to ask are the test's own. */
export function sqlWith(inner: Sql, changes: Partial<Sql>): Sql {
  return {
    many: (statement) => inner.many(statement),
    one: (statement) => inner.one(statement),
    maybe: (statement) => inner.maybe(statement),
    run: (statement) => inner.run(statement),
    batch: (statement, row) => inner.batch(statement, row),
    transaction: (work, late) => inner.transaction(work, late),
    ...changes,
  }
}

/**
 * The database for hundreds who share a few connections on a machine that is busy: who was not let in, so that nothing
 * happened, waits again.
 */
export function patientSql(inner: Sql): Sql {
  const patiently = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    for (let waits = 0; ; waits++) {
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof Unreached) || waits === 20) throw error
      }
    }
  }
  return {
    many: (statement) => patiently(() => inner.many(statement)),
    one: (statement) => patiently(() => inner.one(statement)),
    maybe: (statement) => patiently(() => inner.maybe(statement)),
    run: (statement) => patiently(() => inner.run(statement)),
    batch: (statement, row) => patiently(() => inner.batch(statement, row)),
    transaction: (work, late) => patiently(() => inner.transaction(work, late)),
  }
}
