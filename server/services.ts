import type { HttpClient } from '../kit/outbound/http-client.ts'
import { networkHttpClient } from '../kit/outbound/http-client.ts'
import { networkOutboundClient } from '../kit/outbound/network-outbound-client.ts'
import type { OutboundClient } from '../kit/outbound/outbound-client.ts'
import type { Clock } from '../kit/runtime/clock.ts'
import { systemClock } from '../kit/runtime/clock.ts'
import type { Log } from '../kit/runtime/log.ts'
import { Metrics } from '../kit/runtime/metrics.ts'
import { NumericIdAllocator } from '../kit/runtime/numeric-id-allocator.ts'
import { ProcessState } from '../kit/runtime/process-state.ts'
import type { Sql } from '../kit/runtime/sql.ts'
import { TaskGroup } from '../kit/runtime/task-group.ts'
import { Keyring } from '../kit/security/keyring.ts'
import type { Random } from '../kit/security/random.ts'
import { systemRandom } from '../kit/security/random.ts'
import type { Config } from './config.ts'
import type { Connector } from './connectors/index.ts'
import { connectors } from './connectors/index.ts'
import type { BatchingSql } from './database/batching-sql.ts'
import type { SchemaState } from './database/migrate.ts'
import { migrate, migratedSchemaState } from './database/migrate.ts'
import { noTimeouts, openDatabase, searchTimeouts, shortTimeouts } from './database/pool.ts'
import { SearchQueue } from './database/search-queue.ts'
import { reserveIds } from './database/store.ts'
import { VersionedCache } from './database/versioned-cache.ts'
import type { Installation, InstallationOptions } from './installation.ts'
import { openInstallation } from './installation.ts'

/** Services that all code receives. Built once at the start; tests build their own. */
export interface Services {
  config: Config
  /** The database, or the caller's open transaction. */
  sql: BatchingSql
  /** Searches, on separate connections: slow searches never delay other queries. */
  searches: SearchQueue
  clock: Clock
  /** Randomness that is fit for secrets. */
  random: Random
  /** Rows cached in memory, because every request needs them and they seldom change. */
  cache: VersionedCache
  /** Allocates ids of 14 digits. */
  ids: NumericIdAllocator
  /** Sends requests to configured servers. */
  http: HttpClient
  /** Sends requests to addresses that merchants gave. */
  outbound: OutboundClient
  connectors: readonly Connector[]
  /** One line per entry, without secrets. */
  log: Log
  metrics: Metrics
  /** Keys derived from the installation's secret. */
  keyring: Keyring
  /** Background work, which a stopping process ends and awaits. */
  tasks: TaskGroup
  processState: ProcessState
}

export interface OpenServices extends Services {
  /** Connections that no request uses, so that the instance's own queries work even under full load. */
  own: BatchingSql
  /** Migrates the schema to this program's level, without a time limit. */
  migrate(): Promise<SchemaState>
  /** Runs work on the schema, on connections without a time limit. */
  withoutTimeouts<Result>(work: (database: Sql) => Promise<Result>): Promise<Result>
  /** Settles with the reason if the database that we started ends by itself. */
  databaseEnded: Promise<string>
  close(): Promise<void>
}

export async function openServices(
  config: Config,
  log: Log,
  role: InstallationOptions['role'],
): Promise<OpenServices> {
  const options = { role, clock: systemClock, random: systemRandom, log }
  return servicesOn(await openInstallation(config, options), config, log)
}

/** Builds the services on an open installation, which they own from then on. */
export function servicesOn(
  installation: Installation,
  config: Config,
  log: Log,
  clock: Clock = systemClock,
): OpenServices {
  const { connection } = installation
  const database = openDatabase(connection, config.databasePoolSize, log)
  const own = openDatabase(connection, 2, log, shortTimeouts)
  const searchesAtOnce = Math.max(2, Math.floor(config.databasePoolSize / 4))
  const forSearches = openDatabase(connection, searchesAtOnce, log, searchTimeouts)
  const searches = new SearchQueue(forSearches.sql, searchesAtOnce, clock)
  const outbound = networkOutboundClient(clock)
  const metrics = new Metrics()
  metrics.labelledGauge(
    'vezne_database_connections',
    'Connections by state; waiting counts queries without one.',
    'state',
    () => database.load(),
  )
  metrics.labelledGauge(
    'vezne_search_connections',
    'Connections for searches, by state; waiting counts searches without one.',
    'state',
    () => ({ ...forSearches.load(), waiting: searches.waitingCount }),
  )
  const withoutTimeouts: OpenServices['withoutTimeouts'] = async (work) => {
    const patient = openDatabase(connection, 2, log, noTimeouts)
    try {
      return await work(patient.sql)
    } finally {
      await patient.close()
    }
  }
  metrics.labelledGauge('vezne_build_info', 'Always 1.', 'version', () => ({ [config.version]: 1 }))
  return {
    clock,
    random: systemRandom,
    log,
    config,
    sql: database.sql,
    searches,
    own: own.sql,
    cache: new VersionedCache(own.sql, clock, log),
    ids: new NumericIdAllocator(reserveIds(own.sql)),
    http: networkHttpClient(clock),
    outbound,
    connectors,
    metrics,
    keyring: new Keyring(installation.secret, config.secretPrevious),
    tasks: new TaskGroup(),
    processState: new ProcessState(),
    migrate: async () => {
      const current = await migratedSchemaState(own.sql)
      return current ?? withoutTimeouts((database) => migrate(database, log))
    },
    withoutTimeouts,
    databaseEnded: installation.databaseEnded,
    close: async () => {
      outbound.close()
      await Promise.all([database.close(), forSearches.close(), own.close()])
      await installation.release()
    },
  }
}
