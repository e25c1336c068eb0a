import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../kit/runtime/clock.ts'
import { systemRandom } from '../../kit/security/random.ts'
import { createSandboxTables } from '../../sandbox/index.ts'
import { distribute } from '../../server/database/distribute.ts'
import { startEmbeddedPostgres } from '../../server/database/embedded/index.ts'
import { migrate } from '../../server/database/migrate.ts'
import { noTimeouts, openDatabase } from '../../server/database/pool.ts'
import { silentLog, templateDatabase } from '../../testing/harness/database.ts'
import { ask, connectNodes, onEach, urlOfDatabase } from '../../testing/harness/servers.ts'

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

/** The oldest PostgreSQL that the tests run on. */
const oldestVersion = 15

/** Shards of a table in the tests: few, because every test clones its own. */
const shards = 4

/** PostgreSQL of a test run. Every test file clones its databases from a migrated template. */
export interface Cluster {
  /** A database on every node that no test changes: one on PostgreSQL; on Citus first that of the coordinator. */
  urls: readonly string[]
  end(): Promise<void>
}

/** Uses the PostgreSQL or Citus of TEST_DATABASE_URL. Without it, starts the embedded server. */
export function startCluster(folder: string): Promise<Cluster> {
  const given = process.env['TEST_DATABASE_URL']
  return given === undefined ? startEmbedded(folder) : useGiven(given)
}

async function startEmbedded(folder: string): Promise<Cluster> {
  const home = join(folder, 'cluster')
  mkdirSync(home, { mode: 0o700 })
  const outside = { clock: systemClock, random: systemRandom, log: silentLog }
  const embedded = await startEmbeddedPostgres({ home, role: 'service', ...outside })
  const { host, user } = embedded.connection
  const url = `postgres://${user}@${encodeURIComponent(host)}/postgres`
  await ask(url, [...settings.map((setting) => `alter system set ${setting}`), 'select pg_reload_conf()'])
  await makeTemplate([url])
  return { urls: [url], end: () => embedded.release() }
}

async function useGiven(url: string): Promise<Cluster> {
  const [server] = await ask<{ version: number; isCitus: boolean }>(url, [
    `select current_setting('server_version_num')::int / 10000 as version,
      exists (select from pg_extension where extname = 'citus') as "isCitus"`,
  ])
  if (!server || server.version < oldestVersion)
    throw new Error(
      `TEST_DATABASE_URL is PostgreSQL ${server?.version}; the tests need ${oldestVersion} or newer.`,
    )
  const urls = server.isCitus ? await nodesOf(url) : [url]
  await makeTemplate(urls)
  const end = () => onEach(urls, `drop database if exists ${templateDatabase} with (force)`)
  return { urls, end }
}

/** Addresses of the given database on every node of the cluster, the coordinator first. */
async function nodesOf(url: string): Promise<string[]> {
  const nodes = await ask<{ nodename: string; nodeport: number; groupid: number }>(url, [
    `select nodename, nodeport, groupid from pg_dist_node where noderole = 'primary' order by groupid`,
  ])
  if (nodes[0]?.groupid !== 0 || nodes.length < 2)
    throw new Error(
      'TEST_DATABASE_URL is a Citus without workers or without the address of its coordinator: see docs/internals/testing.md',
    )
  return nodes.map(({ nodename, nodeport }) => {
    const node = new URL(url)
    node.hostname = nodename
    node.port = String(nodeport)
    return node.href
  })
}

/** Creates the migrated template on every node. Nobody may be connected to a database that is cloned. */
async function makeTemplate(urls: readonly string[]): Promise<void> {
  await onEach(
    urls,
    `drop database if exists ${templateDatabase} with (force)`,
    `create database ${templateDatabase}`,
  )
  const [url = '', ...workers] = urls.map((each) => urlOfDatabase(each, templateDatabase))
  if (workers.length > 0) await connectNodes(url, workers)
  const database = openDatabase({ url }, 2, silentLog, noTimeouts)
  await migrate(database.sql, silentLog)
  if (workers.length > 0) await distribute(database.sql, { shards, role: undefined })
  // Most tests need the sandbox bank's tables; cloning them is faster than creating them.
  await createSandboxTables(database.sql)
  await database.close()
  await onEach(
    urls,
    `alter database ${templateDatabase} allow_connections false`,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${templateDatabase}'`,
  )
}
