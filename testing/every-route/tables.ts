import type { Query, Sql } from '../../kit/runtime/sql.ts'
import { raw, sql } from '../../kit/runtime/sql.ts'

/** A refused request can still use up reserved ids. */
const notRecords = ['id_blocks']

/**
 * Number of rows and a digest of the contents of every table. It is one query, because it runs hundreds of
 * times. The sum of row hashes does not depend on their order.
 */
export async function tableDigests(database: Sql): Promise<Record<string, { rows: number; digest: string }>> {
  const found = await database.many<{ name: string; rows: number; digest: string }>(
    ofEach(
      await tables(database),
      ({ name }) => `select '${name}' as name, count(*)::integer as rows,
        coalesce(sum(hashtextextended(record::text, 0)), 0)::text as digest from ${name} as record`,
    ),
  )
  return Object.fromEntries(found.map(({ name, rows, digest }) => [name, { rows, digest }]))
}

/** Number of records by table, without deleted ones. */
export async function liveRowCounts(database: Sql): Promise<Record<string, number>> {
  const found = await database.many<{ name: string; count: number }>(
    ofEach(
      await tables(database),
      ({ name, isHiding }) => `select '${name}' as name, count(*)::integer as count from ${name}
        ${isHiding ? 'where deleted_at is null' : ''}`,
    ),
  )
  return Object.fromEntries(found.map(({ name, count }) => [name, count]))
}

function ofEach(of: readonly Table[], question: (table: Table) => string): Query {
  return raw(of.map(question).join(' union all '))
}

/** Tables of collections with another name than the table. */
const tableNames: Readonly<Record<string, string>> = {
  '/v1/transaction': 'payments',
  '/v1/webhooks/:webhook_id/deliveries': 'webhook_deliveries',
}

/** Table of a collection: `customers` for `/v1/customers`. */
export function tableOfCollection(collection: string, known: readonly string[]): string {
  const name = tableNames[collection] ?? collection.slice(collection.lastIndexOf('/') + 1)
  if (!known.includes(name)) {
    throw new Error(`say in testing/every-route/tables.ts in which table lies what POST ${collection} makes`)
  }
  return name
}

interface Table {
  name: string
  /** True if deleted rows stay in the table, with their time of deletion. */
  isHiding: boolean
}

async function tables(database: Sql): Promise<Table[]> {
  const found = await database.many<Table>(sql`select c.relname as name, a.attname is not null as "isHiding"
    from pg_class c left join pg_attribute a on a.attrelid = c.oid and a.attname = 'deleted_at'
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by c.relname`)
  return found.filter(({ name }) => !notRecords.includes(name))
}
