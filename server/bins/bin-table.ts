import type { RowOf } from '../../kit/runtime/table.ts'
import { bigint, date, defineTable, integer, text, timestamptz } from '../../kit/runtime/table.ts'
import type { BinCard, CardKind } from './card.ts'

export const shortestPrefix = 6
export const longestPrefix = 8

export const binTables = defineTable('bin_tables', {
  id: bigint(),
  source: text(),
  /** Calendar day, for example `2026-11-15`. */
  asOf: date(),
  rowCount: integer(),
  importedAt: timestamptz(),
})

/** Imported table. For a replaced table only this record is kept. */
export type ImportedTable = RowOf<typeof binTables>

/** Source of a table, and the day its data was correct. */
export type BinTableOrigin = Pick<ImportedTable, 'source' | 'asOf'>

/** Row of a table: the first digits of card numbers, and the kind of these cards. */
export interface BinRow {
  prefix: number
  kind: CardKind
}

/** Most rows that share six digits: one of six digits, ten of seven and a hundred of eight. */
const rowsOfSixDigits = 111

/** A sort key and the index of a kind share one number; twenty bits are for the kind. */
const maxKinds = 2 ** 20

/**
 * Kinds of cards by the first digits of their numbers. Guarantee: of all rows whose prefix matches a BIN, the
 * longest wins. A table is immutable; a new one replaces it.
 *
 * Number arrays replace objects: 400 000 rows take 3.2 MB, and a lookup is a binary search.
 */
export class BinTable {
  readonly origin: BinTableOrigin
  readonly #kinds: readonly CardKind[]
  /** Prefixes as sort keys in ascending order: the prefix padded to eight digits, followed by its length. */
  readonly #sortKeys: Uint32Array
  readonly #kindOfSortKey: Uint32Array

  /** Accepts rows in any order; throws for duplicate prefixes, which are a bug. */
  constructor(
    origin: BinTableOrigin,
    kinds: readonly CardKind[],
    prefixes: Uint32Array,
    kindOfPrefix: Uint32Array,
  ) {
    if (kinds.length > maxKinds) throw new Error('there are more kinds of cards than rows can name')
    // Sorting plain numbers without a compare function takes a tenth of the time.
    const packed = new Float64Array(prefixes.length)
    let isInOrder = true
    for (let index = 0; index < packed.length; index++) {
      const each = sortKeyOf(prefixes[index] ?? 0) * maxKinds + (kindOfPrefix[index] ?? 0)
      packed[index] = each
      isInOrder &&= index === 0 || (packed[index - 1] ?? 0) <= each
    }
    // Rows of one length arrive sorted from the database, and a running instance should not sort them again.
    if (!isInOrder) packed.sort()
    this.origin = origin
    this.#kinds = kinds
    this.#sortKeys = new Uint32Array(packed.length)
    this.#kindOfSortKey = new Uint32Array(packed.length)
    for (let index = 0; index < packed.length; index++) {
      const each = packed[index] ?? 0
      this.#sortKeys[index] = Math.floor(each / maxKinds)
      this.#kindOfSortKey[index] = each % maxKinds
      if (index > 0 && this.#sortKeys[index] === this.#sortKeys[index - 1])
        throw new Error('two rows have the same digits')
    }
  }

  get size(): number {
    return this.#sortKeys.length
  }

  /** Card whose number begins with these eight digits. */
  find(bin: number): BinCard | undefined {
    const row = this.rowFor(bin)
    return row && { bin, prefix: String(row.prefix), ...row.kind }
  }

  /** Row with the longest prefix that matches this BIN. */
  rowFor(bin: number): BinRow | undefined {
    const start = this.#startFor(bin)
    return (
      this.#rowOf(bin, bin * 10 + 8, start) ??
      this.#rowOf(Math.floor(bin / 10), Math.floor(bin / 10) * 100 + 7, start) ??
      this.#rowOf(Math.floor(bin / 100), Math.floor(bin / 100) * 1000 + 6, start)
    )
  }

  /** All rows whose prefix matches this BIN, the longest first. */
  rowsFor(bin: number): BinRow[] {
    const start = this.#startFor(bin)
    const prefixes = [bin, Math.floor(bin / 10), Math.floor(bin / 100)]
    return prefixes.flatMap((prefix) => this.#rowOf(prefix, sortKeyOf(prefix), start) ?? [])
  }

  /** All rows, in ascending order of their digits. */
  *rows(): Generator<BinRow, undefined> {
    for (const [index, sortKey] of this.#sortKeys.entries()) {
      const kind = this.#kinds[this.#kindOfSortKey[index] ?? 0]
      if (!kind) throw new Error('a row has no kind')
      yield { prefix: prefixAt(sortKey), kind }
    }
  }

  /** Index of the first row that shares six digits with this BIN. */
  #startFor(bin: number): number {
    return this.#firstFrom(Math.floor(bin / 100) * 1000, 0, this.#sortKeys.length)
  }

  #rowOf(prefix: number, sortKey: number, start: number): BinRow | undefined {
    const index = this.#firstFrom(sortKey, start, Math.min(start + rowsOfSixDigits, this.#sortKeys.length))
    if (this.#sortKeys[index] !== sortKey) return undefined
    const kind = this.#kinds[this.#kindOfSortKey[index] ?? 0]
    return kind && { prefix, kind }
  }

  /** Index of the first row with this sort key or a larger one, by binary search. */
  #firstFrom(sortKey: number, start: number, end: number): number {
    let low = start
    let high = end
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#sortKeys[middle] ?? 0) < sortKey) low = middle + 1
      else high = middle
    }
    return low
  }
}

/**
 * Sort key of a prefix. A prefix comes before those that it begins, and those before the next prefix of its
 * length.
 */
export function sortKeyOf(prefix: number): number {
  if (prefix >= 10_000_000 && prefix <= 99_999_999) return prefix * 10 + 8
  if (prefix >= 1_000_000 && prefix <= 9_999_999) return prefix * 100 + 7
  if (prefix >= 100_000 && prefix <= 999_999) return prefix * 1000 + 6
  throw new Error('a prefix has six to eight digits')
}

function prefixAt(sortKey: number): number {
  const length = sortKey % 10
  return Math.floor(sortKey / 10) / 10 ** (longestPrefix - length)
}
