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

/** How many records there are that are not deleted, by table. */
export async function liveRows(database: Sql): Promise<Record<string, number>> {
  const hiding = await database.many<{
    table_name: string
  }>(sql`select table_name from information_schema.columns
    where table_schema = 'public' and column_name = 'deleted_at'`)
  const counts: Record<string, number> = {}
  for (const table of await tables(database)) {
    const isHiding = hiding.some(({ table_name }) => table_name === table)
    const { count } = await database.one<{ count: number }>(
      sql`select count(*)::integer as count from ${raw(table)} ${raw(isHiding ? 'where deleted_at is null' : '')}`,
    )
    counts[table] = count
  }
  return counts
}

/** Where lies what a POST to a collection makes, when the table is not called as the collection is. */
const tableNames: Readonly<Record<string, string>> = {
  '/v1/transaction': 'payments',
  '/v1/webhooks/:webhook_id/deliveries': 'webhook_deliveries',
}

/** The table of what a POST to this address makes: of `/v1/customers`, customers. */
export function tableOf(collection: string, known: readonly string[]): string {
  const name = tableNames[collection] ?? collection.slice(collection.lastIndexOf('/') + 1)
  if (!known.includes(name)) {
    throw new Error(
      `say in server/testing/every-route/tables.ts in which table lies what POST ${collection} makes`,
    )
  }
  return name
}

async function tables(database: Sql): Promise<string[]> {
  const rows = await database.many<{
    table_name: string
  }>(sql`select table_name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by table_name`)
  return rows.map(({ table_name }) => table_name).filter((name) => !notRecords.includes(name))
}
