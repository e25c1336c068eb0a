import type { BinCard, CardKind } from './card.ts'

export const shortestPrefix = 6
export const longestPrefix = 8

/** Where a table comes from, and the day on which what it says was so. */
export interface BinTableOrigin {
  source: string
  /** As `2026-11-15`. */
  asOf: string
}

/** A row: the first digits of card numbers, and what these cards are. */
export interface BinRow {
  prefix: number
  kind: CardKind
}

/** How many rows can have their first six digits in common: one of six, ten of seven and a hundred of eight. */
const rowsOfSixDigits = 111

/** A sort key and the number of a kind fit one number: the kinds have twenty bits of it. */
const maxKinds = 2 ** 20

/**
 * What cards are by the first digits of their numbers. Guarantee: of all rows whose digits begin a BIN, the longest
 * answers. It never changes: a new table takes its place.
 *
 * Two lists of numbers instead of objects: 400 000 rows take 3.2 MB, and a look-up is a search by halves.
 */
export class BinTable {
  readonly origin: BinTableOrigin
  readonly #kinds: readonly CardKind[]
  /** The digits as sort keys, in rising order: a prefix filled up to eight digits, and then its length. */
  readonly #sortKeys: Uint32Array
  readonly #kindOfSortKey: Uint32Array

  /** The rows may come in any order; two with the same digits are a bug. */
  constructor(
    origin: BinTableOrigin,
    kinds: readonly CardKind[],
    prefixes: Uint32Array,
    kindOfPrefix: Uint32Array,
  ) {
    if (kinds.length > maxKinds) throw new Error('there are more kinds of cards than rows can name')
    // Sorted as plain numbers, without a function of ours that compares them, it takes a tenth of the time.
    const packed = new Float64Array(prefixes.length)
    let isInOrder = true
    for (let index = 0; index < packed.length; index++) {
      const each = sortKeyOf(prefixes[index] ?? 0) * maxKinds + (kindOfPrefix[index] ?? 0)
      packed[index] = each
      isInOrder &&= index === 0 || (packed[index - 1] ?? 0) <= each
    }
    // From the database rows of one length come in order, and a running instance has better things to do than to sort.
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

  /** What the card is whose number begins with these eight digits. */
  find(bin: number): BinCard | undefined {
    const row = this.rowFor(bin)
    return row && { bin, prefix: String(row.prefix), ...row.kind }
  }

  /** The row that answers: the longest of those whose digits begin this BIN. */
  rowFor(bin: number): BinRow | undefined {
    const start = this.#startFor(bin)
    return (
      this.#rowOf(bin, bin * 10 + 8, start) ??
      this.#rowOf(Math.floor(bin / 10), Math.floor(bin / 10) * 100 + 7, start) ??
      this.#rowOf(Math.floor(bin / 100), Math.floor(bin / 100) * 1000 + 6, start)
    )
  }

  /** Every row whose digits begin this BIN, the longest first: the one that answers, and those it passes over. */
  rowsFor(bin: number): BinRow[] {
    const start = this.#startFor(bin)
    const prefixes = [bin, Math.floor(bin / 10), Math.floor(bin / 100)]
    return prefixes.flatMap((prefix) => this.#rowOf(prefix, sortKeyOf(prefix), start) ?? [])
  }

  /** Every row, in rising order of their digits. */
  *rows(): Generator<BinRow, undefined> {
    for (const [index, sortKey] of this.#sortKeys.entries()) {
      const kind = this.#kinds[this.#kindOfSortKey[index] ?? 0]
      if (!kind) throw new Error('a row has no kind')
      yield { prefix: prefixAt(sortKey), kind }
    }
  }

  /** Where the rows begin that have the first six digits in common with this BIN. */
  #startFor(bin: number): number {
    return this.#firstFrom(Math.floor(bin / 100) * 1000, 0, this.#sortKeys.length)
  }

  #rowOf(prefix: number, sortKey: number, start: number): BinRow | undefined {
    const index = this.#firstFrom(sortKey, start, Math.min(start + rowsOfSixDigits, this.#sortKeys.length))
    if (this.#sortKeys[index] !== sortKey) return undefined
    const kind = this.#kinds[this.#kindOfSortKey[index] ?? 0]
    return kind && { prefix, kind }
  }

  /** The index of the first row with this sort key or a larger one, by binary search. */
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

/** Where a prefix stands among all others: before those that it begins, and these before the next of its length. */
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
