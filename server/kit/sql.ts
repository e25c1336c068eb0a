import type { Sql as Statement } from 'sql-template-tag'

export { default as sql, join, raw } from 'sql-template-tag'
export type { Statement }

/** A list as a jsonb column takes it. */
export function listText(list: readonly object[]): string {
  return list.length === 0 ? '[]' : JSON.stringify(list)
}

const plannedAnew = new WeakSet<Statement>()

/**
 * The same statement, planned for its values each time. Others are planned once for any values, which is quicker, but
 * wrong where the best way depends on them: a common word and a rare one are not looked for in the same way.
 */
export function planAnew(statement: Statement): Statement {
  plannedAnew.add(statement)
  return statement
}

export function isPlannedAnew(statement: Statement): boolean {
  return plannedAnew.has(statement)
}

/** The database as features see it. Outside a transaction each call stands alone; inside one they share it. */
export interface Sql {
  many<Row extends object>(statement: Statement): Promise<Row[]>
  /** Exactly one row; anything else is a bug. */
  one<Row extends object>(statement: Statement): Promise<Row>
  maybe<Row extends object>(statement: Statement): Promise<Row | undefined>
  /** For what answers no rows: how many it touched. */
  run(statement: Statement): Promise<number>
  /**
   * Everything `work` does through its `sql` happens, or none of it. `work` is run again when the database asks for
   * it (serialization, deadlock), so it must have no other effects. Inside a transaction it joins that one.
   */
  transaction<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result>
}

/** The database cannot be asked now: away, starting, overloaded. Nothing was done, unless it is a CommitUnknown. */
export class DatabaseUnavailable extends Error {
  override readonly name: string = 'DatabaseUnavailable'
}

/** The connection was lost while committing: the transaction may have happened. Whoever cares must look. */
export class CommitUnknown extends DatabaseUnavailable {
  override readonly name = 'CommitUnknown'
}

/** Somebody else has held a row for longer than we wait. Nothing was done. */
export class RowLocked extends DatabaseUnavailable {
  override readonly name = 'RowLocked'
}
