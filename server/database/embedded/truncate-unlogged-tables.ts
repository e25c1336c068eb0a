import { Client } from 'pg'
import type { Log } from '../../../kit/runtime/log.ts'
import type { PostgresServer } from './postmaster.ts'

/** Whoever reads such a table is not waited for: the server is about to end them as well. */
const lockTimeoutMs = 500
const timeoutMs = 5_000

/**
 * Empties every unlogged table, before the server is stopped. A server that is stopped in order writes them out as
 * well, and what lies in them is not to lie in a file: cards, beside the secret that they are sealed with. Guarantee: if
 * it cannot be done, it is logged, and whoever called goes on.
 */
export async function truncateUnloggedTables(
  { socketFolder, port }: PostgresServer,
  log: Log,
): Promise<void> {
  const client = new Client({
    ...{ host: socketFolder, port, user: 'vezne', database: 'vezne', ssl: false },
    ...{ application_name: 'vezne stop', lock_timeout: lockTimeoutMs, connectionTimeoutMillis: timeoutMs },
    ...{ statement_timeout: timeoutMs, query_timeout: 2 * timeoutMs },
  })
  // The server may end at any moment; the query under way fails then.
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ names: string | null }>(
      `select string_agg(format('%I.%I', n.nspname, c.relname), ', ') as names
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relpersistence = 'u' and c.relkind = 'r'`,
    )
    const names = rows[0]?.names
    if (names) await client.query(`truncate ${names}`)
  } catch (err) {
    log.error({ err }, 'truncating the unlogged tables failed; PostgreSQL will write their rows to its files')
  } finally {
    await client.end().catch(() => undefined)
  }
}
