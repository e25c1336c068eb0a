import type { Sql } from '../../kit/runtime/sql.ts'
import { sql } from '../../kit/runtime/sql.ts'
import type { TableKind } from './table-kinds.ts'

/** The database cannot be distributed as it is. The message says what to do. */
export class NotDistributable extends Error {
  override readonly name = 'NotDistributable'
}

/** True if the tables of merchants are distributed by Citus. */
export async function isDistributed(database: Sql): Promise<boolean> {
  const { hasCitus } = await database.one<{ hasCitus: boolean }>(
    sql`select to_regclass('pg_dist_partition') is not null as "hasCitus"`,
  )
  if (!hasCitus) return false
  return (await kindOf(database, 'payments')) === 'distributed'
}

/** Keeps a table as its kind says. Returns false if it was kept that way before. */
export async function distributeTable(transaction: Sql, table: string, kind: TableKind): Promise<boolean> {
  const before = await kindOf(transaction, table)
  if (before === kind) return false
  if (before !== 'local')
    throw new NotDistributable(
      `The table ${table} is kept as ${before}, but this version needs it as ${kind}. Nothing was changed. Undo that with undistribute_table('${table}'), and run this again.`,
    )
  await transaction.run(
    kind === 'reference'
      ? sql`select create_reference_table(${table}::regclass)`
      : sql`select create_distributed_table(${table}::regclass, 'merchant_id', colocate_with => ${await companion(transaction)})`,
  )
  return true
}

async function kindOf(database: Sql, table: string): Promise<TableKind> {
  const row = await database.maybe<{ method: string; isReplicated: boolean }>(
    sql`select partmethod::text as method, repmodel = 't' as "isReplicated" from pg_dist_partition
      where logicalrelid = to_regclass(${table})`,
  )
  if (row?.method === 'h') return 'distributed'
  return row?.isReplicated ? 'reference' : 'local'
}

/** A distributed table, beside whose shards the others are placed. */
async function companion(database: Sql): Promise<string> {
  const row = await database.maybe<{ name: string }>(
    sql`select logicalrelid::text as name from pg_dist_partition where partmethod = 'h'
      and logicalrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace) limit 1`,
  )
  return row?.name ?? 'none'
}

/** Words of Citus about a worker that cannot be reached. Their SQLSTATE is 08006. */
const workerNotReached = /^(?:connection to the remote node|could not establish any connections to the node) /
/**
 * Words of Citus about a worker that was lost during a transaction: a commit without an answer, or a connection
 * that ended. Their SQLSTATE is XX000, which Citus also gives to its own faults.
 */
const workerLost =
  /^(?:could not commit transaction for shard|failure on connection marked as essential|server closed the connection unexpectedly|could not (?:receive data from|send data to) server|no connection to the server|connection not open|SSL (?:connection has been closed|SYSCALL error))/

/** True if an error of the database says that Citus cannot reach a worker, or has lost it. */
export function isWorkerAway({ code, message }: { code?: string | undefined; message: string }): boolean {
  return code === 'XX000' ? workerLost.test(message) : code === '08006' && workerNotReached.test(message)
}

/** An error about a worker without the advice of the client library on further lines. */
export function firstLineOf(text: string): string {
  return text.split('\n', 1)[0] ?? text
}
