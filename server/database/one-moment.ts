import type { Sql } from '../../kit/runtime/sql.ts'
import { sql } from '../../kit/runtime/sql.ts'

/** Reads in a transaction that sees one snapshot of the database, whatever others write, and can change nothing. */
export function atOneMoment<Result>(database: Sql, read: (reading: Sql) => Promise<Result>): Promise<Result> {
  return database.transaction(async (reading) => {
    await reading.run(sql`set transaction isolation level repeatable read, read only`)
    return read(reading)
  })
}
