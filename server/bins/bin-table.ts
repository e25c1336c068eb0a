import type { Card, CardKind } from './card.ts'

export const shortestPrefix = 6
export const longestPrefix = 8

/** Where a table comes from, and the day on which what it says was so. */
export interface Origin {
  source: string
  /** As `2026-11-15`. */
  asOf: string
}

/** A row: the first digits of card numbers, and what these cards are. */
export interface BinRow {
  prefix: number
  kind: CardKind
}

/**
 * What cards are by the first digits of their numbers. Guarantee: of all rows whose digits begin a BIN, the longest
 * answers. It never changes: a new table takes its place.
 *
 * Two lists of numbers instead of objects: 400 000 rows take 3.2 MB, and a look-up is three searches by halves.
 */
export class BinTable {
  readonly origin: Origin
  readonly #kinds: readonly CardKind[]
  /** The digits as places on a line, in rising order: a prefix filled up to eight digits, and then its length. */
  readonly #places: Uint32Array
  readonly #kindOfPlace: Uint32Array

  /** The rows may come in any order; two with the same digits are a bug. */
  constructor(origin: Origin, kinds: readonly CardKind[], prefixes: Uint32Array, kindOfPrefix: Uint32Array) {
    const order = Uint32Array.from(prefixes.keys()).sort(
      (one, other) => placeOf(prefixes[one] ?? 0) - placeOf(prefixes[other] ?? 0),
    )
    this.origin = origin
    this.#kinds = kinds
    this.#places = order.map((index) => placeOf(prefixes[index] ?? 0))
    this.#kindOfPlace = order.map((index) => kindOfPrefix[index] ?? 0)
    for (let index = 1; index < this.#places.length; index++) {
      if (this.#places[index] === this.#places[index - 1]) throw new Error('two rows have the same digits')
    }
  }

  get size(): number {
    return this.#places.length
  }

  /** What the card is whose number begins with these eight digits. */
  find(bin: number): Card | undefined {
    for (let length = longestPrefix; length >= shortestPrefix; length--) {
      const divisor = 10 ** (longestPrefix - length)
      const prefix = Math.floor(bin / divisor)
      const index = this.#indexOf(prefix * divisor * 10 + length)
      const kind = index === undefined ? undefined : this.#kinds[this.#kindOfPlace[index] ?? 0]
      if (kind) return { bin, prefix: String(prefix), ...kind }
    }
    return undefined
  }

  /** Every row, in rising order of their digits. */
  *rows(): Generator<BinRow> {
    for (const [index, place] of this.#places.entries()) {
      const kind = this.#kinds[this.#kindOfPlace[index] ?? 0]
      if (!kind) throw new Error('a row has no kind')
      yield { prefix: prefixAt(place), kind }
    }
  }

  #indexOf(place: number): number | undefined {
    let low = 0
    let high = this.#places.length - 1
    while (low <= high) {
      const middle = (low + high) >>> 1
      const there = this.#places[middle] ?? 0
      if (there === place) return middle
      if (there < place) low = middle + 1
      else high = middle - 1
    }
    return undefined
  }
}

function placeOf(prefix: number): number {
  const length = String(prefix).length
  if (length < shortestPrefix || length > longestPrefix) throw new Error('a prefix has six to eight digits')
  return prefix * 10 ** (longestPrefix - length) * 10 + length
}

function prefixAt(place: number): number {
  const length = place % 10
  return Math.floor(place / 10) / 10 ** (longestPrefix - length)
}
