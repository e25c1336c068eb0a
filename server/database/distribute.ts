import type { Sql } from '../../kit/runtime/sql.ts'
import { RowLocked, raw, sql, unprepared } from '../../kit/runtime/sql.ts'
import { distributeTable, NotDistributable } from './citus.ts'
import { assertSchemaMigrated, readMigrations } from './migrate.ts'
import { lockTimeoutMs } from './pool.ts'
import type { TableKind } from './table-kinds.ts'
import { tableKinds } from './table-kinds.ts'

export interface Distribution {
  workers: number
  shards: number
  tables: Record<TableKind, string[]>
  /** Tables that were not kept this way before. */
  changed: string[]
}

export interface DistributeOptions {
  /** Number of shards of each distributed table. */
  shards: number
  /** Role of DATABASE_URL of the running service, if it is not the role of this connection. */
  role: string | undefined
}

/** Longest wait for a table that others use, in milliseconds. */
const longestWaitMs = 10_000

/**
 * Distributes the tables of merchants by `merchant_id`, copies the small shared ones to every node, and leaves
 * the others on the coordinator. All of it happens or nothing. What is already distributed stays as it is, so
 * this can be run again.
 */
export async function distribute(database: Sql, options: DistributeOptions): Promise<Distribution> {
  const workers = await workersOf(database)
  await assertSchemaMigrated(database)
  try {
    return await database.transaction(async (transaction) => {
      await setLockTimeout(transaction, options.role, lockTimeoutMs)
      // A search asks all shards. With more connections, Citus opens and closes some for every search.
      await setRole(transaction, options.role, 'citus.max_adaptive_executor_pool_size', '1')
      await transaction.run(sql`set local citus.multi_shard_modify_mode = 'sequential'`)
      // Otherwise Citus first makes tables that refer to a reference table its own, and drops their comments.
      await transaction.run(sql`set local citus.enable_local_reference_table_foreign_keys = off`)
      await transaction.run(script(`set local lock_timeout = ${longestWaitMs}`))
      await transaction.run(script(`set local citus.shard_count = ${options.shards}`))
      const tables: Distribution['tables'] = { distributed: [], reference: [], local: [] }
      const changed: string[] = []
      for (const [table, kind] of tableKinds(readMigrations())) {
        tables[kind].push(table)
        if (await distributeTable(transaction, table, kind)) changed.push(table)
      }
      return { workers, shards: await shardCount(transaction), tables, changed }
    })
  } catch (error) {
    if (error instanceof RowLocked)
      throw new NotDistributable(
        'A table is in use, and copying it needs it alone. Nothing was changed. Stop every instance, and run this again.',
        { cause: error },
      )
    throw error
  }
}

async function shardCount(database: Sql): Promise<number> {
  const { count } = await database.one<{ count: number }>(
    sql`select count(*)::int as count from pg_dist_shard where logicalrelid = 'payments'::regclass`,
  )
  return count
}

/** Number of workers that can hold shards. */
async function workersOf(database: Sql): Promise<number> {
  const extension = await database.maybe(sql`select from pg_extension where extname = 'citus'`)
  if (!extension)
    throw new NotDistributable(
      'This database has no Citus, so it stays on one server. To distribute it, run "create extension citus" in the database of this name on every node first: docs/operate/scale.md',
    )
  const { isCoordinator, isKnown, workers } = await database.one<{
    isCoordinator: boolean
    isKnown: boolean
    workers: number
  }>(sql`select (select groupid = 0 from pg_dist_local_group) as "isCoordinator",
      exists (select from pg_dist_node where groupid = 0) as "isKnown",
      (select count(*)::int from pg_dist_node where isactive and shouldhaveshards and noderole = 'primary') as workers`)
  if (!isCoordinator)
    throw new NotDistributable('DATABASE_URL names a worker. Name the coordinator, and run this again.')
  if (!isKnown)
    throw new NotDistributable(
      'The workers do not know the address of the coordinator. Run citus_set_coordinator_host(…) on the coordinator first: docs/operate/scale.md',
    )
  if (workers === 0)
    throw new NotDistributable(
      'Citus has no node that may hold shards. Add the workers with citus_add_node(…) first: docs/operate/scale.md',
    )
  return workers
}

/**
 * Gives a role, or the own one, its lock timeout in this database on every node. The service sets it on its connections to
 * the coordinator only, and a row of a merchant is locked on a worker.
 */
export async function setLockTimeout(
  database: Sql,
  role: string | undefined,
  timeoutMs: number,
): Promise<void> {
  await setRole(database, role, 'lock_timeout', `${timeoutMs}ms`)
}

async function setRole(
  database: Sql,
  role: string | undefined,
  setting: string,
  value: string,
): Promise<void> {
  const { statement } = await database.one<{ statement: string }>(
    sql`select format('alter role %I in database %I set %s = %L', coalesce(${role ?? null}::text, current_user),
      current_database(), ${setting}::text, ${value}::text) as statement`,
  )
  await database.run(script(statement))
}

/** A statement that takes no values. */
const script = (text: string) => unprepared(raw(text))
