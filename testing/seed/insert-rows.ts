import type { Sql } from '../../kit/runtime/sql.ts'
import { raw, sql } from '../../kit/runtime/sql.ts'
import type { Columns, RowOf, Table } from '../../kit/runtime/table.ts'

/** A row in which fields that may be null can be left out. */
export type SeedRow<Kinds extends Columns> = Required<NotNull<RowOf<{ map: Kinds }>>> &
  Partial<RowOf<{ map: Kinds }>>

type NotNull<Row> = { [Name in keyof Row as null extends Row[Name] ? never : Name]: Row[Name] }

/** Inserts rows as a test gives them, in one query. */
export async function insertRows<Kinds extends Columns>(
  database: Sql,
  table: Table<Kinds>,
  rows: readonly SeedRow<Kinds>[],
): Promise<void> {
  const json = JSON.stringify(rows.map((row) => table.jsonRow(row as RowOf<{ map: Kinds }>)))
  await database.run(sql`insert into ${raw(table.name)} (${table.names})
    select ${table.recordsetNames('given')} from json_to_recordset(${json}::json) as ${table.recordset('given')}`)
}
