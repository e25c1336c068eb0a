import type { Sql } from '../kit/sql.ts'

/** The database, of which some ways to ask are the test's own. */
export function sqlWith(inner: Sql, changes: Partial<Sql>): Sql {
  return {
    many: (statement) => inner.many(statement),
    one: (statement) => inner.one(statement),
    maybe: (statement) => inner.maybe(statement),
    run: (statement) => inner.run(statement),
    gather: (statement, row) => inner.gather(statement, row),
    transaction: (work) => inner.transaction(work),
    ...changes,
  }
}
