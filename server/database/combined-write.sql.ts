import type { CombinedWrite, Insert, Sql, SqlFragment } from '../../kit/runtime/sql.ts'
import { empty, join, raw, sql } from '../../kit/runtime/sql.ts'

/** Performs the write as one query. */
export async function writeInOneQuery<Row extends object>(
  database: Sql,
  write: CombinedWrite,
): Promise<Row | undefined> {
  return resultIn(await database.one<Row & Gate>(queryOf(write)))
}

/**
 * Performs the write as a query for its steps and one for each insert. A distributed database sends each of
 * them to the merchant's server. It sends no query there that has an insert inside: it would split that query
 * itself, move rows between servers, and commit on all of them.
 */
export async function writeInTransaction<Row extends object>(
  transaction: Sql,
  write: CombinedWrite,
): Promise<Row | undefined> {
  const { inserts, storedGate } = write
  const result = resultIn(await transaction.one<Row & Gate>(queryOf({ ...write, inserts: [] })))
  if (result) for (const insert of inserts) await transaction.run(insertQuery(insert, storedGate))
  return result
}

interface Gate {
  gateCount: number
}

function resultIn<Row extends object>({ gateCount, ...row }: Row & Gate): Row | undefined {
  return gateCount === 0 ? undefined : (row as unknown as Row)
}

/** The whole write as one query, as a database on one server runs it. */
export function queryOf(write: CombinedWrite): SqlFragment {
  const { gate, result, commitsAsynchronously } = write
  const parts = [...write.steps, ...insertSteps(write)].map(
    ([name, query]) => sql`${raw(name)} as (${query})`,
  )
  return sql`with ${join(parts, ', ')}
    select (select count(*)::int from ${raw(gate)}) as "gateCount"${result ? sql`, ${result}` : empty}
    ${commitsAsynchronously ? sql`where ${asynchronousCommit}` : empty}`
}

/** True; sets the commit of the transaction that evaluates it: outside a transaction, of this query alone. */
export const asynchronousCommit = sql`set_config('synchronous_commit', 'off', true) = 'off'`

function insertSteps({ inserts, gate }: CombinedWrite): CombinedWrite['steps'] {
  return inserts.map((insert, index) => [
    `insert_${index + 1}`,
    sql`insert into ${raw(insert.into)} (${insert.names})
      ${'rows' in insert ? valuesFrom(insert.rows, raw(gate)) : insert.select(raw(gate))} ${insert.onConflict ?? empty}`,
  ])
}

function valuesFrom(rows: readonly SqlFragment[], gate: SqlFragment): SqlFragment {
  const [row] = rows
  if (row && rows.length === 1) return sql`select ${row} from ${gate}`
  return sql`select given.* from ${gate}, lateral (values ${inBrackets(rows)}) as given`
}

/** An insert as a query of its own. */
export function insertQuery(insert: Insert, storedGate = empty): SqlFragment {
  return sql`insert into ${raw(insert.into)} (${insert.names})
    ${'rows' in insert ? sql`values ${inBrackets(insert.rows)}` : insert.select(storedGate)} ${insert.onConflict ?? empty}`
}

const inBrackets = (rows: readonly SqlFragment[]) => join(rows.map((row) => sql`(${row})`))
