import type { RowOf } from '../../kit/runtime/table.ts'
import { bigint, date, defineTable, integer, text, timestamptz } from '../../kit/runtime/table.ts'
import type { CardKind } from './card.ts'

export const longestPrefix = 8

export const binTables = defineTable('bin_tables', {
  id: bigint(),
  source: text(),
  /** Calendar day, for example `2026-11-15`. */
  asOf: date(),
  rowCount: integer(),
  importedAt: timestamptz(),
})

export const bins = defineTable('bins', { tableId: bigint(), prefix: integer(), kindId: integer() })

/** Imported table. For a replaced table only this record is kept. */
export type ImportedTable = RowOf<typeof binTables>

/** Source of a table, and the day its data was correct. */
export type BinTableOrigin = Pick<ImportedTable, 'source' | 'asOf'>

/** Kinds of cards by the first six to eight digits of their numbers. Rows of the same kind share its object. */
export type BinRows = ReadonlyMap<number, CardKind>

/** Table of BINs. It is immutable; a new one replaces it. */
export interface BinTable {
  origin: BinTableOrigin
  rows: BinRows
}

/** Row of a table: the first digits of card numbers, and the kind of these cards. */
export interface BinRow {
  prefix: number
  kind: CardKind
}

/** Rows whose prefix matches this BIN of eight digits. Guarantee: the longest, which wins, is the first. */
export function rowsMatching({ rows }: BinTable, bin: number): BinRow[] {
  return [bin, Math.floor(bin / 10), Math.floor(bin / 100)].flatMap((prefix) => {
    const kind = rows.get(prefix)
    return kind ? [{ prefix, kind }] : []
  })
}

/** Kind of the cards whose numbers begin with this BIN: that of the first of `rowsMatching`, without lists. */
export function kindOfBin({ rows }: BinTable, bin: number): CardKind | undefined {
  // A BIN that has lost a leading zero must not match as a prefix of six digits.
  if (bin < 10_000_000) return undefined
  return rows.get(bin) ?? rows.get(Math.floor(bin / 10)) ?? rows.get(Math.floor(bin / 100))
}
