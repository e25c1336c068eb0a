import { Client } from 'pg'
import type { Log } from '../../../kit/runtime/log.ts'
import type { PostgresServer } from './postmaster.ts'

/** Readers of such a table are not waited for: the server is about to end them as well. */
const lockTimeoutMs = 500
const timeoutMs = 5_000

/**
 * Empties every unlogged table before the server is stopped. An orderly shutdown would write them to disk,
 * and their contents must not reach a file: they hold cards, and the secret that seals those is stored in the
 * same home. Guarantee: a failure is logged, and the caller continues.
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
  // The server may end at any moment; the running query then fails.
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
