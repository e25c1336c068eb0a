import { raw as rawText, Sql as SqlFragment, default as tag } from 'sql-template-tag'

export { default as sql, empty, join, raw } from 'sql-template-tag'
export { SqlFragment }

/** A query as it is sent: its text and the values of its parameters. */
export interface Query extends Pick<SqlFragment, 'text' | 'values'> {
  isUnprepared?: true
}

/** Parameters of a reusable query, separated by commas. A table's map makes them (`table.ts`). */
export interface ParameterList<Values> {
  readonly parameters: readonly QueryParameter<Values>[]
}

/** A parameter with the text around it, and its value as it is sent. */
export interface QueryParameter<Values> {
  readonly name: string
  readonly before: string
  readonly after: string
  readonly valueIn: (values: Values) => unknown
}

/**
 * A query whose text is composed once, for the busiest paths: composing costs as much as sending. It holds
 * parameter names, lists of parameters and fragments without values; the caller passes an object with the
 * values. A name used twice is sent as one value, encoded as a list with that name says.
 */
export function reusableQuery<Values extends object>(
  texts: TemplateStringsArray,
  ...parts: readonly (keyof Values | SqlFragment | ParameterList<Values>)[]
): (values: Values) => Query {
  const names: PropertyKey[] = []
  const readers: ((values: Values) => unknown)[] = []
  const numberOf = (name: PropertyKey) => names.indexOf(name) + 1 || names.push(name)
  const textOf = (part: keyof Values | SqlFragment | ParameterList<Values>): string => {
    if (typeof part !== 'object') {
      const number = numberOf(part)
      readers[number - 1] ??= (values) => values[part]
      return `$${number}`
    }
    if ('parameters' in part) {
      const listed = part.parameters.map(({ name, before, after, valueIn }) => {
        const number = numberOf(name)
        readers[number - 1] = valueIn
        return `${before}$${number}${after}`
      })
      return listed.join(', ')
    }
    if (part.values.length > 0) throw new Error('a query template takes only fragments without values')
    return part.text
  }
  const text = String.raw({ raw: texts }, ...parts.map(textOf))
  return (values) => ({ text, values: readers.map((read) => read(values)) })
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
    if (typeof text === 'string') row[name] = timeIn(text)
  }
  for (const name of Object.keys(bytes)) {
    const text = row[name]
    if (typeof text === 'string') row[name] = bytesIn(text)
  }
  return row as Row
}

const digitIn = (text: string, at: number) => text.charCodeAt(at) - 48
const twoDigitsIn = (text: string, at: number) => digitIn(text, at) * 10 + digitIn(text, at + 1)

/** Days since 1970-01-01. Years are counted from March, so that a leap day is the last day of its year. */
function daysUntil(year: number, month: number, day: number): number {
  const years = month < 3 ? year - 1 : year
  const leapDays = Math.floor(years / 4) - Math.floor(years / 100) + Math.floor(years / 400)
  return years * 365 + leapDays + Math.floor((((month + 9) % 12) * 153 + 2) / 5) + day - 719_469
}

/**
 * Reads a timestamptz of JSON, such as `2026-03-01T10:11:12.123456+00:00`. The result is that of
 * `new Date(text)`, which takes longer than all other work on a row.
 */
export function timeIn(text: string): Date {
  const zoneAt = text.length - '+00:00'.length
  const sign = text[zoneAt]
  if (text[4] !== '-' || text[10] !== 'T' || (sign !== '+' && sign !== '-')) return new Date(text)
  const days = daysUntil(
    twoDigitsIn(text, 0) * 100 + twoDigitsIn(text, 2),
    twoDigitsIn(text, 5),
    twoDigitsIn(text, 8),
  )
  const offset = twoDigitsIn(text, zoneAt + 1) * 60 + twoDigitsIn(text, zoneAt + 4)
  const minutes = (days * 24 + twoDigitsIn(text, 11)) * 60 + twoDigitsIn(text, 14)
  let ms = twoDigitsIn(text, 17) * 1000
  // PostgreSQL leaves out zeros at the end of the decimals.
  if (zoneAt > 20) ms += digitIn(text, 20) * 100
  if (zoneAt > 21) ms += digitIn(text, 21) * 10
  if (zoneAt > 22) ms += digitIn(text, 22)
  return new Date((sign === '+' ? minutes - offset : minutes + offset) * 60_000 + ms)
}

/** Reads both formats of `bytea_output`. */
export function bytesIn(text: string): Buffer {
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
