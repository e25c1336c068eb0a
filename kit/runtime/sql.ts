import type { Sql as SqlFragment } from 'sql-template-tag'
import { raw as rawText, default as tag } from 'sql-template-tag'

export { default as sql, empty, join, raw } from 'sql-template-tag'
export type { SqlFragment }

/** A query as it is sent: its text and the values of its parameters. */
export interface Query extends Pick<SqlFragment, 'text' | 'values'> {
  isUnprepared?: true
}

/**
 * A query whose text is composed once, for the busiest paths: composing costs as much as sending. It holds
 * parameter names and fragments without values; the caller passes an object with the values. A name used
 * twice is sent as one value.
 */
export function reusableQuery<Values extends object>(
  texts: TemplateStringsArray,
  ...parts: readonly (keyof Values | SqlFragment)[]
): (values: Values) => Query {
  const names: (keyof Values)[] = []
  const [first = '', ...rest] = texts
  const text = rest.reduce((whole, next, index) => {
    const part = parts[index] as keyof Values | SqlFragment
    if (typeof part === 'object') {
      if (part.values.length > 0) throw new Error('a query template takes only fragments without values')
      return whole + part.text + next
    }
    const known = names.indexOf(part)
    return `${whole}$${known < 0 ? names.push(part) : known + 1}${next}`
  }, first)
  return (values) => ({ text, values: names.map((name) => values[name]) })
}

/** The row of a select as one JSON column of another query; null if there is none. */
export function jsonRowColumn(name: string, select: SqlFragment): SqlFragment {
  return tag`(select row_to_json(found) from (${select}) found) as ${rawText(name)}`
}

type NamesOf<Row, Kind> = { readonly [Name in keyof Row as Kind extends Row[Name] ? Name : never]: true }

/**
 * Restores such a column to the row that a direct query would return: JSON turned its times and bytes into
 * text.
 */
export function rowFromJson<Row extends object>(
  column: object,
  times: NamesOf<Row, Date>,
  bytes: NamesOf<Row, Buffer>,
): Row {
  const row: Record<string, unknown> = { ...column }
  for (const name of Object.keys(times)) {
    const text = row[name]
    if (typeof text === 'string') row[name] = new Date(text)
  }
  for (const name of Object.keys(bytes)) {
    const text = row[name]
    if (typeof text === 'string') row[name] = bytesIn(text)
  }
  return row as Row
}

/** Reads both formats of `bytea_output`. */
function bytesIn(text: string): Buffer {
  if (text.startsWith('\\x')) return Buffer.from(text.slice('\\x'.length), 'hex')
  const plain = text.replaceAll(/\\(\\|[0-7]{3})/g, (_whole, sign: string) =>
    sign === '\\' ? sign : String.fromCharCode(Number.parseInt(sign, 8)),
  )
  return Buffer.from(plain, 'latin1')
}

/** A list as text for a jsonb column. */
export function jsonListText(list: readonly object[]): string {
  return list.length === 0 ? '[]' : JSON.stringify(list)
}

/**
 * A query that is planned for its values at every call. Other queries are prepared by name, and PostgreSQL
 * may then keep one plan for all values. That is wrong where the best plan depends on the values: a common
 * and a rare search word need different plans.
 */
export function unprepared({ text, values }: SqlFragment): Query {
  return { text, values, isUnprepared: true }
}

/**
 * The database as the code sees it. Outside a transaction every call is independent; inside one, all calls
 * share it.
 */
export interface Sql {
  many<Row extends object>(query: Query): Promise<Row[]>
  /** Exactly one row; any other number is a bug. */
  one<Row extends object>(query: Query): Promise<Row>
  maybe<Row extends object>(query: Query): Promise<Row | undefined>
  /** Runs a statement without result rows. Returns the number of affected rows. */
  run(query: Query): Promise<number>
  /**
   * Runs `work` in a transaction: all its effects through `sql` happen, or none. `work` is repeated on a
   * serialization failure or a deadlock, so it must have no other effects. Inside a transaction it joins that
   * one. Aborting `late` closes the connection: nothing happens, unless the transaction was just committed.
   */
  transaction<Result>(work: (sql: Sql) => Promise<Result>, late?: AbortSignal): Promise<Result>
}

/**
 * The database is not available: unreachable, starting or overloaded. In a transaction nothing was done,
 * unless it is a CommitUnknown. The outcome of a query outside a transaction is unknown once it was sent.
 */
export class DatabaseUnavailable extends Error {
  override readonly name: string = 'DatabaseUnavailable'
}

/** The database was not reached, so nothing was sent. */
export class DatabaseNotReached extends DatabaseUnavailable {
  override readonly name: string = 'DatabaseNotReached'
}

/** The request has passed its deadline: no further query is sent for it. */
export class RequestDeadlineExceeded extends DatabaseNotReached {
  override readonly name = 'RequestDeadlineExceeded'

  constructor() {
    super('the request has passed its deadline')
  }
}

/** The connection was lost during the commit: the transaction may have happened. The caller must check. */
export class CommitUnknown extends DatabaseUnavailable {
  override readonly name = 'CommitUnknown'
}

/** Another session held a row lock for longer than the lock timeout. Nothing was done. */
export class RowLocked extends DatabaseUnavailable {
  override readonly name = 'RowLocked'
}
