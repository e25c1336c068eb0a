import type { Sql } from '../../kit/runtime/sql.ts'
import { join, raw, sql } from '../../kit/runtime/sql.ts'

/**
 * Pages from which a table gets statistics. The planner takes a table without statistics for one of ten pages, and
 * then uses its indexes. With the statistics of a smaller one it would read the whole table, also after it has grown.
 */
const minPages = 10

/**
 * Collects the first statistics of tables that have grown. A plan without statistics may read all rows of a
 * merchant for each row that is looked up, and PostgreSQL collects its own up to two minutes later. Returns the
 * number of tables. A role that does not own them leaves them to PostgreSQL.
 */
export async function analyzeNewTables(database: Sql): Promise<number> {
  const tables = await database.many<{
    name: string
  }>(sql`select quote_ident(t.relname) as name from pg_stat_user_tables t join pg_class c on c.oid = relid
    where schemaname = current_schema() and last_analyze is null and last_autoanalyze is null
      and pg_relation_size(relid) >= ${minPages}::int * current_setting('block_size')::int
      and pg_has_role(c.relowner, 'usage')`)
  if (tables.length > 0) await database.run(sql`analyze ${join(tables.map(({ name }) => raw(name)))}`)
  return tables.length
}
