import type { Sql as SqlFragment } from 'sql-template-tag'
import { raw as rawText, default as tag } from 'sql-template-tag'

export { default as sql, empty, join, raw } from 'sql-template-tag'
export type { SqlFragment }

/** Query as it is sent to the database: a text, and the values of its parameters. */
export interface Query extends Pick<SqlFragment, 'text' | 'values'> {
  isUnprepared?: true
}

/**
 * A query whose text is composed once, for the busiest paths: composing costs as much as sending. It holds names
 * and fragments without values, and is called with an object that has the values. A name that stands in it twice is one value, sent once.
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

/** The row that a select finds as one column of another query, in JSON; null where there is none. */
export function jsonRowColumn(name: string, select: SqlFragment): SqlFragment {
  return tag`(select row_to_json(found) from (${select}) found) as ${rawText(name)}`
}

type NamesOf<Row, Kind> = { readonly [Name in keyof Row as Kind extends Row[Name] ? Name : never]: true }

/** Such a column as the row by itself would have been answered: JSON has made texts of its times and bytes. */
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

/** In either of the ways in which a database may be set to write bytes (`bytea_output`). */
function bytesIn(text: string): Buffer {
  if (text.startsWith('\\x')) return Buffer.from(text.slice('\\x'.length), 'hex')
  const plain = text.replaceAll(/\\(\\|[0-7]{3})/g, (_whole, sign: string) =>
    sign === '\\' ? sign : String.fromCharCode(Number.parseInt(sign, 8)),
  )
  return Buffer.from(plain, 'latin1')
}

/** A list as a jsonb column takes it. */
export function jsonListText(list: readonly object[]): string {
  return list.length === 0 ? '[]' : JSON.stringify(list)
}

/**
 * The query, planned for its values each time. Others are prepared by name, and after a few executions PostgreSQL may
 * keep one plan for all values; that is wrong where the best way depends on them: a common word and a rare one are not
 * looked for in the same way.
 */
export function unprepared({ text, values }: SqlFragment): Query {
  return { text, values, isUnprepared: true }
}

/** The database as programs see it. Outside a transaction each call stands alone; inside one they share it. */
export interface Sql {
  many<Row extends object>(query: Query): Promise<Row[]>
  /** Exactly one row; anything else is a bug. */
  one<Row extends object>(query: Query): Promise<Row>
  maybe<Row extends object>(query: Query): Promise<Row | undefined>
  /** For what answers no rows: how many it touched. */
  run(query: Query): Promise<number>
  /**
   * Everything `work` does through its `sql` happens, or none of it. `work` is run again when the database asks for
   * it (serialization, deadlock), so it must have no other effects. Inside a transaction it joins that one. `late` ends it
   * with whatever is under way: its connection is closed, so that nothing of it happens, unless it was just committed.
   */
  transaction<Result>(work: (sql: Sql) => Promise<Result>, late?: AbortSignal): Promise<Result>
}

/**
 * The database cannot be asked now: away, starting, overloaded. In a transaction nothing was done, unless it is a
 * CommitUnknown; of a query outside a transaction nobody knows, once it was sent.
 */
export class DatabaseUnavailable extends Error {
  override readonly name: string = 'DatabaseUnavailable'
}

/** The database was not reached: nothing was asked of it. */
export class DatabaseNotReached extends DatabaseUnavailable {
  override readonly name: string = 'DatabaseNotReached'
}

/** The request that asks has passed its deadline: nothing more is asked for it. */
export class RequestDeadlineExceeded extends DatabaseNotReached {
  override readonly name = 'RequestDeadlineExceeded'

  constructor() {
    super('the request has passed its deadline')
  }
}

/** The connection was lost while committing: the transaction may have happened. Whoever cares must look. */
export class CommitUnknown extends DatabaseUnavailable {
  override readonly name = 'CommitUnknown'
}

/** Somebody else has held a row for longer than we wait. Nothing was done. */
export class RowLocked extends DatabaseUnavailable {
  override readonly name = 'RowLocked'
}
