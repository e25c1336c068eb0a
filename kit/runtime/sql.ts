import { raw, Sql as SqlFragment } from 'sql-template-tag'

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

/** Marks in a fragment the place of a parameter of the reusable query that the fragment becomes a part of. */
const mark = '\0'
const marked = new RegExp(`${mark}(\\w+)${mark}`, 'g')

/** Parameter of a reusable query as a fragment, for functions that build a part of the query. */
export function parameter<Name extends string>(name: Name): SqlFragment {
  return raw(`${mark}${name}${mark}`)
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
    return part.text.replaceAll(marked, (_whole, name: string) => textOf(name as keyof Values))
  }
  const text = String.raw({ raw: texts }, ...parts.map(textOf))
  return (values) => ({ text, values: readers.map((read) => read(values)) })
}

/** Reads both formats of `bytea_output`. */
export function bytesIn(text: string): Buffer {
  if (text.startsWith('\\x')) return Buffer.from(text.slice('\\x'.length), 'hex')
  const plain = text.replaceAll(/\\(\\|[0-7]{3})/g, (_whole, sign: string) =>
    sign === '\\' ? sign : String.fromCharCode(Number.parseInt(sign, 8)),
  )
  return Buffer.from(plain, 'latin1')
}

/**
 * A query that is planned for its values at every call. Other queries are prepared by name, and PostgreSQL
 * may then keep one plan for all values. That is wrong where the best plan depends on the values: a common
 * and a rare search word need different plans.
 */
export function unprepared({ text, values }: SqlFragment): Query {
  return { text, values, isUnprepared: true }
}

/** Rows to insert into a table: values, or a query over the gate of the write. */
export type Insert = {
  readonly into: string
  readonly names: SqlFragment
  /** Clause for rows that exist already. */
  readonly onConflict?: SqlFragment
} & ({ readonly rows: readonly SqlFragment[] } | { readonly select: (gate: SqlFragment) => SqlFragment })

/** Reads and writes of one merchant that happen together or not at all. */
export interface CombinedWrite {
  /** Common table expressions that read, lock, update or delete. Each can use those before it. */
  readonly steps: readonly (readonly [name: string, query: SqlFragment])[]
  /** Step that decides: the inserts happen if it has a row. */
  readonly gate: string
  /** For inserts that select: the row of the gate as it is stored after the steps, under the same name. */
  readonly storedGate?: SqlFragment
  /** Inserts in an order in which every row finds the rows it refers to. */
  readonly inserts: readonly Insert[]
  /** Columns to return, selected from the steps. */
  readonly result?: SqlFragment
  /**
   * True if the answer does not wait for the disk. A crash of the database server can lose such a write, until
   * the next write that waits is answered: that one makes all earlier ones durable. Inside a transaction and on
   * a distributed database, every write waits.
   */
  readonly commitsAsynchronously?: boolean | undefined
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
  /** Performs a combined write. Returns its result, or undefined if its gate has no row. */
  write<Row extends object>(write: CombinedWrite): Promise<Row | undefined>
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

/** A worker of a distributed database is not available. Merchants on other workers are not affected. */
export class WorkerUnavailable extends DatabaseUnavailable {
  override readonly name = 'WorkerUnavailable'
}

/** The connection was lost during the commit: the transaction may have happened. The caller must check. */
export class CommitUnknown extends DatabaseUnavailable {
  override readonly name = 'CommitUnknown'
}

/** Another session held a row lock for longer than the lock timeout. Nothing was done. */
export class RowLocked extends DatabaseUnavailable {
  override readonly name = 'RowLocked'
}
