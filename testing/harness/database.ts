import { after } from 'node:test'
import { inspect } from 'node:util'
import { systemClock } from '../../kit/runtime/clock.ts'
import type { Log } from '../../kit/runtime/log.ts'
import type { Sql } from '../../kit/runtime/sql.ts'
import { sql } from '../../kit/runtime/sql.ts'
import { systemRandom } from '../../kit/security/random.ts'
import type { Database } from '../../server/database/pool.ts'
import { lockTimeoutMs, openDatabase } from '../../server/database/pool.ts'
import { isOnCitus, testServerUrls } from './environment.ts'
import { ask, onEach, urlOfDatabase } from './servers.ts'
import { reportSplitQueries, throwIfQueriesWereSplit, watchSplitQueries } from './split-queries.ts'
import { retryingSql } from './sql.ts'

export const templateDatabase = 'vezne_template'

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} }

/**
 * A new database with the current schema, in the cluster of the test run, dropped when the test ends. A query
 * that gets no connection retries up to twenty times, because the machine can be busy.
 */
export function testDatabase(): Promise<TestDatabase> {
  return makeDatabase(templateDatabase)
}

/** A new empty database. */
export function emptyDatabase(): Promise<TestDatabase> {
  return makeDatabase('template1')
}

/** Terminates every connection to the database, as a failing network or server does. */
export async function endConnections(url: string): Promise<void> {
  const name = url.slice(url.lastIndexOf('/') + 1)
  await onEach(
    testServerUrls(),
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
  )
}

/** Terminates only the connections that wait for a lock. */
export async function endLockWaiters(url: string): Promise<void> {
  const name = url.slice(url.lastIndexOf('/') + 1)
  await onEach(
    testServerUrls(),
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and wait_event_type = 'Lock'`,
  )
}

/** Returns when this many queries of the database wait for a lock. */
export async function untilLockIsAwaited(database: Sql, count = 1): Promise<void> {
  const { name } = await database.one<{ name: string }>(sql`select current_database() as name`)
  const waiting = `select pid from pg_stat_activity where datname = '${name}' and wait_event_type = 'Lock'`
  const waitingCount = async () => {
    const rows = await Promise.all(testServerUrls().map((url) => ask(url, [waiting])))
    return rows.flat().length
  }
  for (let look = 0; (await waitingCount()) < count; look++) {
    if (look === 2_000) throw new Error('nobody waits for a lock')
    await systemClock.sleep(5)
  }
}

/** Throws if tests left forbidden data in a database. */
type Check = (database: Sql) => Promise<void>

/** Checks of the databases that still exist, by address. */
const checks = new Map<string, Check[]>()

/** Registers a check that runs after the tests of a database, before it is dropped. */
export function beforeDrop(url: string, check: Check): void {
  checks.set(url, [...(checks.get(url) ?? []), check])
}

/**
 * Runs the checks of a database. A failure sets the exit code of the process: after a hook that throws, Node
 * runs no other hook, so servers of the test would stay open and the process would never end.
 */
export async function runChecks(url: string, database: Sql): Promise<void> {
  for (const check of checks.get(url) ?? []) {
    try {
      await check(database)
    } catch (error) {
      process.stderr.write(`${inspect(error)}\n`)
      process.exitCode = 1
    }
  }
  checks.delete(url)
}

export type TestDatabase = Database & { url: string }

async function makeDatabase(template: string): Promise<TestDatabase> {
  const name = `test_${systemRandom.bytes(8).toString('hex')}`
  // Copying files is four times as fast as copying through the write-ahead log.
  await onEach(testServerUrls(), `create database ${name} template ${template} strategy file_copy`)
  const url = urlOfDatabase(testServerUrls()[0], name)
  if (isOnCitus()) {
    await prepareForCitus(name, template)
    watchSplitQueries()
    beforeDrop(url, async () => throwIfQueriesWereSplit())
  }
  const opened = openDatabase({ url }, 10, silentLog)
  const database = { ...opened, sql: retryingSql(opened.sql) }
  after(async () => {
    await runChecks(url, database.sql)
    await database.close()
    await dropDatabase(name)
  })
  return { ...database, url }
}

/**
 * Lets Citus report the queries that it splits. A clone gets the lock timeout that `distribute` gives to the role,
 * because settings are not cloned.
 */
async function prepareForCitus(name: string, template: string): Promise<void> {
  const lockTimeout = `lock_timeout = ${template === templateDatabase ? lockTimeoutMs : 0}`
  const settings = [lockTimeout, reportSplitQueries].map((setting) => `alter database ${name} set ${setting}`)
  await onEach(testServerUrls(), ...settings)
}

async function dropDatabase(name: string): Promise<void> {
  if (isOnCitus()) await endWorkOfCitus(name)
  await onEach(testServerUrls(), `drop database ${name} with (force)`)
}

/**
 * Ends what Citus does by itself in a database. Each server looks for deadlocks on the others, and for unfinished
 * transactions on itself too. Such a connection would wait for the end of a drop, and the drop for the connection.
 */
async function endWorkOfCitus(name: string): Promise<void> {
  await onEach(testServerUrls(), `alter database ${name} allow_connections false`)
  const terminate = `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`
  const terminatedCount = async () => {
    const rows = await Promise.all(testServerUrls().map((url) => ask(url, [terminate])))
    return rows.flat().length
  }
  while ((await terminatedCount()) > 0) await systemClock.sleep(20)
}
