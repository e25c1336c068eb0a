import type { Sql } from '../../kit/runtime/sql.ts'
import { sql } from '../../kit/runtime/sql.ts'
import type { BinRows, BinTable, ImportedTable } from './bin-table.ts'
import { bins, binTables } from './bin-table.ts'
import type { CardKind } from './card.ts'
import { binKinds } from './card.ts'
import { families } from './catalog.ts'

/** Rows in one query: these take a few milliseconds in the database and in the program. */
const rowsAtOnce = 20_000
const kindsAtOnce = 2_000

const kindColumns = binKinds.omit('tableId', 'id').columns()

/** Id of the active table; 0 for the built-in one. */
export const activeTableQuery = sql`select coalesce(table_id, 0) as id from active_bin_table where only_row`

export async function activeTableId(database: Sql, lock = sql``): Promise<number> {
  return (await database.one<{ id: number }>(sql`${activeTableQuery} ${lock}`)).id
}

/** Id of the active table, locked until the end of the transaction. */
export function activeTableIdForUpdate(database: Sql): Promise<number> {
  return activeTableId(database, sql`for update`)
}

export function tableById(database: Sql, id: number): Promise<ImportedTable | undefined> {
  return database.maybe(sql`select ${binTables.columns()} from bin_tables where id = ${id}`)
}

export function lastImports(database: Sql, count: number): Promise<ImportedTable[]> {
  return database.many(
    sql`select ${binTables.columns()} from bin_tables order by imported_at desc, id desc limit ${count}`,
  )
}

/**
 * Reads a whole table. Guarantee: if the table is replaced meanwhile, it throws and never returns a part.
 *
 * The table is read in pages, with one query each, so that no query takes long. All rows are inserted in one
 * transaction and deleted in one, so the right number of rows means that none is missing.
 */
export async function readTable(database: Sql, id: number): Promise<BinTable> {
  const table = await tableById(database, id)
  if (!table) throw new Error('there is no such table of BINs')
  const kinds: CardKind[] = []
  for (let page = await kindsFrom(database, id, 0); page.length > 0; ) {
    kinds.push(...page)
    page = await kindsFrom(database, id, kinds.length)
  }
  const rows = new Map<number, CardKind>()
  for (let page = await rowsAfter(database, id, 0); page.prefixes.length > 0; ) {
    for (const [index, prefix] of page.prefixes.entries()) {
      const kind = kinds[page.kindIds[index] ?? 0]
      if (!kind) throw new Error('a row of the table of BINs has no kind')
      rows.set(prefix, kind)
    }
    page = await rowsAfter(database, id, page.prefixes.at(-1) ?? 0)
  }
  if (rows.size !== table.rowCount) throw new Error('the table of BINs was replaced while it was read')
  return { origin: table, rows }
}

async function kindsFrom(database: Sql, tableId: number, first: number): Promise<CardKind[]> {
  const kinds = await database.many<CardKind>(sql`select ${kindColumns} from bin_kinds
    where table_id = ${tableId} and id >= ${first} order by id limit ${kindsAtOnce}`)
  // A newer program may know more families. This program treats their cards as cards without a family: single
  // payments only.
  return kinds.map((kind) => ({
    ...kind,
    family: kind.family && families.has(kind.family) ? kind.family : null,
  }))
}

interface RowPage {
  prefixes: number[]
  kindIds: number[]
}

/** A page as two lists in one row; an object for every row would take most of the time. */
function rowsAfter(database: Sql, tableId: number, prefix: number): Promise<RowPage> {
  return database.one(sql`select coalesce(json_agg(prefix order by prefix), '[]') as prefixes,
      coalesce(json_agg(kind_id order by prefix), '[]') as "kindIds"
    from (select prefix, kind_id from bins where table_id = ${tableId} and prefix > ${prefix}
      order by prefix limit ${rowsAtOnce}) as page`)
}

/** Inserts a table under a new id. It is not visible before it is activated. */
export async function insertTable(database: Sql, table: ImportedTable, rows: BinRows): Promise<void> {
  const { id } = table
  await database.run(sql`insert into bin_tables (${binTables.names}) values (${binTables.values(table)})`)
  const kinds = [...new Set(rows.values())]
  for (let first = 0; first < kinds.length; first += kindsAtOnce) {
    const page = kinds.slice(first, first + kindsAtOnce)
    const described = page.map((kind, index) => binKinds.jsonRow({ tableId: id, id: first + index, ...kind }))
    await database.run(sql`insert into bin_kinds (${binKinds.names}) select ${binKinds.recordsetNames()}
      from json_to_recordset(${JSON.stringify(described)}::json) as ${binKinds.recordset('kind')}`)
  }
  const idOfKind = new Map(kinds.map((kind, index) => [kind, index]))
  const prefixes = [...rows.keys()]
  const kindIds = [...rows.values()].map((kind) => idOfKind.get(kind))
  for (let first = 0; first < rows.size; first += rowsAtOnce) {
    // Arrays are written as PostgreSQL text, because the driver would convert number by number.
    const inText = (numbers: unknown[]) => `{${numbers.slice(first, first + rowsAtOnce).join()}}`
    await database.run(sql`insert into bins (${bins.names}) select ${id}, prefix, kind_id
      from unnest(${inText(prefixes)}::integer[], ${inText(kindIds)}::integer[]) as row (prefix, kind_id)`)
  }
}

/** Makes a table active (0 for the built-in one) and deletes the rows of the previous one. */
export async function activateTable(database: Sql, id: number, before: number): Promise<void> {
  await database.run(sql`update active_bin_table set table_id = ${id === 0 ? null : id} where only_row`)
  while ((await deleteSomeRows(database, before)) > 0);
  await database.run(sql`delete from bin_kinds where table_id = ${before}`)
}

/** Deletes as many rows as one query inserts, so that no query takes long on a slow disk. */
function deleteSomeRows(database: Sql, tableId: number): Promise<number> {
  return database.run(sql`delete from bins where table_id = ${tableId} and prefix <= (select max(prefix)
    from (select prefix from bins where table_id = ${tableId} order by prefix limit ${rowsAtOnce}) as page)`)
}
