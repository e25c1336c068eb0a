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
 * What makes commits survive a power cut, and databases last for years, is of no use to one that lives for seconds.
 * Tests of that start a server of their own, as an installation does.
 */
const settings = [
  'fsync = off',
  'full_page_writes = off',
  'synchronous_commit = off',
  'autovacuum = off',
  "max_wal_size = '256MB'",
]

/** The PostgreSQL of a test run; every test file clones its databases from a migrated template in it. */
export interface Cluster {
  /** Of a database that no test changes. */
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
  // Most tests pay at the sandbox bank, and making its tables takes longer than copying them.
  await createSandboxTables(database.sql)
  await database.close()
  return { url: urlOf('postgres'), end: () => embedded.release() }
}
