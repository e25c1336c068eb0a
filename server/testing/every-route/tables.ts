import type { Sql } from '../../kit/sql.ts'
import { raw, sql } from '../../kit/sql.ts'

/** Reserved numbers may be used up by whoever is refused afterwards. */
const notRecords = ['id_blocks']

/** What lies in the database: of every table how many rows, and a digest of their contents. */
export async function contents(database: Sql): Promise<Record<string, { rows: number; digest: string }>> {
  const found: Record<string, { rows: number; digest: string }> = {}
  for (const table of await tables(database)) {
    found[table] = await database.one(sql`select count(*)::integer as rows,
      coalesce(md5(string_agg(md5(record::text), '' order by record::text)), '') as digest from ${raw(table)} as record`)
  }
  return found
}

/** How many records of merchants there are that are not deleted, by table. */
export async function liveRows(database: Sql): Promise<Record<string, number>> {
  const rows = await database.many<{
    table_name: string
  }>(sql`select table_name from information_schema.columns
    where table_schema = 'public' and column_name = 'deleted_at' order by table_name`)
  const counts: Record<string, number> = {}
  for (const { table_name: table } of rows) {
    const { count } = await database.one<{ count: number }>(
      sql`select count(*)::integer as count from ${raw(table)} where deleted_at is null`,
    )
    counts[table] = count
  }
  return counts
}

async function tables(database: Sql): Promise<string[]> {
  const rows = await database.many<{
    table_name: string
  }>(sql`select table_name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by table_name`)
  return rows.map(({ table_name }) => table_name).filter((name) => !notRecords.includes(name))
}
