import { createHash } from 'node:crypto'
import type { Insert, ParameterList, QueryParameter } from './sql.ts'
import { bytesIn, raw, SqlFragment } from './sql.ts'

/** A column: its type in SQL, and by `Value` the type of its values in code. */
export interface Column<Value> {
  readonly sqlType: string
  readonly isNullable: boolean
  readonly conversions: Conversions<Value>
  /** Column whose values may also be null. */
  orNull(): Column<Value | null>
}

/** Conversions that a kind of column needs. None of them sees a null. */
interface Conversions<Value> {
  /** SQL that reads the column, where the bare column would come as another type. */
  readonly read?: (column: string) => string
  /** Restores a value that JSON holds in another form, and refuses one that is none. */
  readonly fromJson?: (value: unknown) => Value
  readonly toJson?: (value: unknown) => unknown
  readonly toParameter?: (value: unknown) => unknown
}

function column<Value>(sqlType: string, conversions: Conversions<Value> = {}): Column<Value> {
  const orNull = () => nullable
  const nullable: Column<Value | null> = { sqlType, isNullable: true, conversions, orNull }
  return { sqlType, isNullable: false, conversions, orNull }
}

export const bigint = <Value extends number = number>() =>
  column<Value>('bigint', { fromJson: exactInteger as (value: unknown) => Value })
export const integer = <Value extends number = number>() => column<Value>('integer')
/** A decimal number, as text in code: a JavaScript number would round it. */
export const numeric = () => column<string>('numeric', { read: (name) => `${name}::text` })
export const text = <Value extends string = string>() => column<Value>('text')
export const boolean = () => column<boolean>('boolean')
export const timestamptz = () => column<Date>('timestamptz', { fromJson: timeIn })
/** A day as YYYY-MM-DD. The driver would make a moment of it, in the time zone of the process. */
export const date = () => column<string>('date', { read: (name) => `to_char(${name}, 'YYYY-MM-DD')` })
export const bytea = () =>
  column<Buffer>('bytea', { fromJson: (text) => bytesIn(text as string), toJson: bytesText })
/** JSON. The value is sent as text, because the driver would turn a list into an array of PostgreSQL. */
export const jsonb = <Value>() => column<Value>('jsonb', { toParameter: jsonText })
export const textArray = <Value extends string = string>() => column<Value[]>('text[]')
export const tsvector = () => column<string>('tsvector')

/** JSON holds a large integer rounded. One that is too large is a bug, as in the driver. */
function exactInteger(value: unknown): number {
  if (!Number.isSafeInteger(value)) throw new Error('an integer of the database is too large')
  return value as number
}

function timeIn(text: unknown): Date {
  const time = new Date(text as string)
  if (Number.isNaN(time.getTime())) throw new Error('a time of the database is not a time')
  return time
}

function bytesText(bytes: unknown): string {
  return `\\x${(bytes as Buffer).toString('hex')}`
}

/** Empty lists are frequent, and JSON.stringify takes long for them. */
function jsonText(value: unknown): string {
  return Array.isArray(value) && value.length === 0 ? '[]' : JSON.stringify(value)
}

/** The columns of a table by their names in code. */
export type Columns = Readonly<Record<string, Column<unknown>>>
type NameOf<Kinds> = keyof Kinds & string
type ValueOf<Kind> = Kind extends Column<infer Value> ? Value : never

/** Fields are declared by their names in the map: an editor leads there, to the comment of the column. */
type Row<Kinds> = { -readonly [Name in keyof Kinds]: ValueOf<Kinds[Name]> }
type Nulls<Kinds> = { [Name in keyof Kinds as null extends ValueOf<Kinds[Name]> ? Name : never]: null }
type JsonValueOf<Value> = Value extends Buffer ? string : Value
type JsonRow<Kinds> = { -readonly [Name in keyof Kinds]: JsonValueOf<ValueOf<Kinds[Name]>> }

/** Row of a table, or of some of its columns. */
export type RowOf<Mapped extends { readonly map: Columns }> = Row<Mapped['map']>

/** A column as the catalog of the database describes it. */
export interface CatalogColumn {
  /** Name in code: `amountMinor`. */
  readonly name: string
  /** Name in the database: `amount`. */
  readonly column: string
  readonly sqlType: string
  readonly isNullable: boolean
}

/**
 * The map of a table or of some of its columns: everything that repeats them comes from here. All lists have
 * the same order. Fragments contain no table name: queries are written by hand.
 */
export interface Table<Kinds extends Columns> {
  readonly name: string
  /** True if every row belongs to a merchant, whose id is the first column. */
  readonly isMerchantTable: boolean
  readonly map: Kinds
  readonly catalog: readonly CatalogColumn[]
  /** The columns that may be null, as null. A new row begins with them. */
  readonly nulls: Readonly<Nulls<Kinds>>
  /** Subset with these columns, in the given order. */
  pick<Name extends NameOf<Kinds>>(...names: Name[]): Table<Pick<Kinds, Name>>
  /** Subset without these columns. */
  omit<Name extends NameOf<Kinds>>(...names: Name[]): Table<Pick<Kinds, Exclude<NameOf<Kinds>, Name>>>

  /** Select list whose rows have the names in code: `a.merchant_id as "merchantId", a.id`. */
  columns(alias?: string): SqlFragment
  /** Column list of an insert: `merchant_id, id`. */
  readonly names: SqlFragment
  /** Values of an insert: `$1::bigint, $2::bigint`. */
  values(row: Readonly<Row<Kinds>>): SqlFragment
  /** Assignments of an update: `state = $1::text, amount = $2::bigint`. */
  assignments(row: Readonly<Row<Kinds>>): SqlFragment
  /** An insert of rows for a combined write. */
  insert(rows: Readonly<Row<Kinds>> | readonly Readonly<Row<Kinds>>[], onConflict?: SqlFragment): Insert
  /** The parameters of `values`, for a reusable query. */
  readonly valueParameters: ParameterList<Row<Kinds>>

  /**
   * The row as one JSON column, for `unpack`: the client spends more time per column than PostgreSQL does on
   * packing them.
   */
  packed(alias?: string): SqlFragment
  /** The row of a packed column. Throws if another map packed it. */
  unpack(packed: readonly unknown[]): Row<Kinds>

  /**
   * Name and columns of JSON rows: `json_to_recordset(…) as given (id bigint, "amountMinor" bigint)`. Rows may
   * have columns of other tables beside them.
   */
  recordset(alias: string, ...beside: Pick<Table<Columns>, 'catalog'>[]): SqlFragment
  /** Select list of JSON rows, in the order of `names`: `given.id, given."amountMinor"`. */
  recordsetNames(alias?: string): SqlFragment
  /** A JSON row of such a recordset. It has the fields of the map only. */
  jsonRow(row: Readonly<Row<Kinds>>): JsonRow<Kinds>
  /** Values of an insert, from a JSON row. */
  jsonValues(row: Readonly<JsonRow<Kinds>>): SqlFragment
}

/** Map of a table whose rows belong to no merchant. */
export function defineTable<Kinds extends Columns>(name: string, map: Kinds): Table<Kinds> {
  return tableOf(name, map, false)
}

/** Map of a table whose rows belong to a merchant. Its first column is `merchantId`. */
export function defineMerchantTable<Kinds extends Columns & { readonly merchantId: Column<number> }>(
  name: string,
  map: Kinds,
): Table<Kinds> {
  if (Object.keys(map)[0] !== 'merchantId') throw new Error(`the first column of ${name} must be merchantId`)
  return tableOf(name, map, true)
}

/** A row whose fields are looked up by the names of a map. */
type Fields = Record<string, unknown>
type MappedColumn = CatalogColumn & Pick<Column<unknown>, 'conversions'>

function tableOf<Kinds extends Columns>(name: string, map: Kinds, isMerchantTable: boolean): Table<Kinds> {
  const mapped = mappedColumns(name, map)
  const blankRow = blankRowMaker(mapped)
  const subset = (names: readonly string[]) =>
    tableOf(name, Object.fromEntries(names.map((each) => [each, map[each]])) as never, isMerchantTable)
  const table = {
    name,
    isMerchantTable,
    map,
    catalog: mapped.map(({ conversions: _, ...catalogColumn }) => catalogColumn),
    nulls: Object.fromEntries(mapped.filter((each) => each.isNullable).map(({ name }) => [name, null])),
    pick: (...names: string[]) => subset(names),
    omit: (...names: string[]) => subset(Object.keys(map).filter((each) => !names.includes(each))),
    ...readers(name, mapped, blankRow),
    ...writers(name, mapped),
    ...batchParts(mapped, blankRow),
  } satisfies Record<keyof Table<Kinds>, unknown>
  // The interface states the types: the compiler cannot follow fields that are looked up by name.
  return table as never
}

/** A code name in snake_case. Amounts of money have no suffix in the database. */
function columnNameOf(name: string): string {
  const words = name.replace(/Minor$/, '').replaceAll(/[A-Z]|(?<=[a-z])[0-9]+/g, (start) => `_${start}`)
  return words.toLowerCase()
}

function mappedColumns(table: string, map: Columns): MappedColumn[] {
  const mapped = Object.entries(map).map(([name, { sqlType, isNullable, conversions }]) => {
    if (!/^[a-z][a-zA-Z0-9]*$/.test(name)) throw new Error(`${table} has a column with the name "${name}"`)
    return { name, column: columnNameOf(name), sqlType, isNullable, conversions }
  })
  if (mapped.length === 0) throw new Error(`${table} has no columns`)
  const twice = mapped.find(({ column }, at) => mapped.findIndex((other) => other.column === column) < at)
  if (twice) throw new Error(`${table} has the column ${twice.column} twice`)
  return mapped
}

/** Fragment for each alias, made once. */
function byAlias(build: (prefix: string) => string): (alias?: string) => SqlFragment {
  const known = new Map<string, SqlFragment>()
  return (alias) => {
    const prefix = alias === undefined ? '' : `${alias}.`
    return known.getOrInsertComputed(prefix, () => raw(build(prefix)))
  }
}

function readers(table: string, mapped: readonly MappedColumn[], blankRow: () => Fields) {
  const read = ({ column, conversions }: MappedColumn, prefix: string) =>
    conversions.read?.(prefix + column) ?? prefix + column
  const named = (each: MappedColumn, prefix: string) =>
    each.name === each.column && !each.conversions.read
      ? prefix + each.column
      : `${read(each, prefix)} as "${each.name}"`
  const fields = mapped.map(({ name, conversions: { fromJson } }) => ({ name, fromJson }))
  const mark = markOf(table, mapped)
  return {
    columns: byAlias((prefix) => mapped.map((each) => named(each, prefix)).join(', ')),
    packed: byAlias((prefix) => {
      const values = mapped.map((each) => read(each, prefix))
      return `json_build_array('${mark}', ${values.join(', ')})`
    }),
    unpack(packed: readonly unknown[]): Fields {
      if (packed[0] !== mark) throw new Error(`a packed row has other columns than these of ${table}`)
      const row = blankRow()
      for (const [at, { name, fromJson }] of fields.entries()) {
        const value = packed[at + 1]
        if (value !== null) row[name] = fromJson === undefined ? value : fromJson(value)
      }
      return row
    },
  }
}

/** Begins a packed row, so that a row packed by one map is never read by another one. */
function markOf(table: string, mapped: readonly MappedColumn[]): string {
  const text = `${table} ${mapped.map(({ name }) => name).join(' ')}`
  return createHash('sha256').update(text).digest('base64url').slice(0, 6)
}

/** Casts give a parameter the same type wherever its name stands in a reusable query. */
function writers(table: string, mapped: readonly MappedColumn[]) {
  const parameters = mapped.map(({ name, sqlType, conversions: { toParameter } }) => ({
    name,
    before: '',
    after: `::${sqlType}`,
    valueIn: (row: Fields) => {
      const value = row[name]
      if (value === undefined) throw new Error(`a row without ${name} cannot be written`)
      return toParameter && value !== null ? toParameter(value) : value
    },
  }))
  const assignmentParameters = parameters.map((each) => ({
    ...each,
    before: `${columnNameOf(each.name)} = `,
  }))
  const names = raw(mapped.map(({ column }) => column).join(', '))
  const values = fragmentMaker(parameters)
  return {
    names,
    values,
    jsonValues: values,
    insert(rows: Fields | readonly Fields[], onConflict?: SqlFragment): Insert {
      return { into: table, names, rows: [rows].flat().map(values), ...(onConflict && { onConflict }) }
    },
    assignments: fragmentMaker(assignmentParameters),
    valueParameters: { parameters },
  }
}

/** The texts are composed once, so that a row with its values becomes one flat fragment. */
function fragmentMaker(parameters: readonly QueryParameter<Fields>[]): (row: Fields) => SqlFragment {
  const texts = parameters.map(({ before }, at) => {
    const previous = parameters[at - 1]
    return previous ? `${previous.after}, ${before}` : before
  })
  texts.push(parameters.at(-1)?.after ?? '')
  return (row) =>
    new SqlFragment(
      texts,
      parameters.map(({ valueIn }) => valueIn(row)),
    )
}

function batchParts(mapped: readonly MappedColumn[], blankRow: () => Fields) {
  const quoted = ({ name, column }: CatalogColumn) => (name === column ? name : `"${name}"`)
  const definitionOf = (each: CatalogColumn) => `${quoted(each)} ${each.sqlType}`
  return {
    recordset(alias: string, ...beside: { catalog: readonly CatalogColumn[] }[]) {
      const columns = [...mapped, ...beside.flatMap(({ catalog }) => catalog)]
      return raw(`${alias} (${columns.map(definitionOf).join(', ')})`)
    },
    recordsetNames: byAlias((prefix) => mapped.map((each) => prefix + quoted(each)).join(', ')),
    jsonRow(given: Fields): Fields {
      const row = blankRow()
      for (const { name, conversions } of mapped) {
        const value = given[name]
        if (value !== null && value !== undefined)
          row[name] = conversions.toJson ? conversions.toJson(value) : value
      }
      return row
    },
  }
}

/**
 * Makes rows with all fields null: all rows of a table then have one shape from the start. A row that got its
 * fields one by one would become a slow dictionary. JSON.parse makes an object with all fields inside it.
 */
function blankRowMaker(mapped: readonly MappedColumn[]): () => Fields {
  const blank: Fields = JSON.parse(`{${mapped.map(({ name }) => `"${name}":null`).join()}}`)
  return () => ({ ...blank })
}
