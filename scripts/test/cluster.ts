import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { systemClock } from '../../kit/runtime/clock.ts'
import { systemRandom } from '../../kit/security/random.ts'
import { createSandboxTables } from '../../sandbox/index.ts'
import { startEmbeddedPostgres } from '../../server/database/embedded/index.ts'
import { migrate } from '../../server/database/migrate.ts'
import { openDatabase } from '../../server/database/pool.ts'
import { silentLog, templateDatabase } from '../../testing/harness/database.ts'

/**
 * Durability and vacuuming are off: the databases exist for seconds. Tests of durability start a server of
 * their own with the settings of an installation.
 */
const settings = [
  'fsync = off',
  'full_page_writes = off',
  'synchronous_commit = off',
  'autovacuum = off',
  "max_wal_size = '256MB'",
]

/** PostgreSQL of a test run. Every test file clones its databases from a migrated template. */
export interface Cluster {
  /** URL of a database that no test changes. */
  url: string
  end(): Promise<void>
}

export async function startCluster(folder: string): Promise<Cluster> {
  const home = join(folder, 'cluster')
  mkdirSync(home, { mode: 0o700 })
  const outside = { clock: systemClock, random: systemRandom, log: silentLog }
  const embedded = await startEmbeddedPostgres({ home, role: 'service', ...outside })
  const { host, user } = embedded.connection
  const urlOf = (name: string) => `postgres://${user}@${encodeURIComponent(host)}/${name}`
  const admin = new pg.Client({ connectionString: urlOf('postgres') })
  await admin.connect()
  for (const setting of settings) await admin.query(`alter system set ${setting}`)
  await admin.query('select pg_reload_conf()')
  await admin.query(`create database ${templateDatabase}`)
  await admin.end()
  const database = openDatabase({ url: urlOf(templateDatabase) }, 2, silentLog)
  await migrate(database.sql, silentLog)
  // Most tests need the sandbox bank's tables; cloning them is faster than creating them.
  await createSandboxTables(database.sql)
  await database.close()
  return { url: urlOf('postgres'), end: () => embedded.release() }
}
