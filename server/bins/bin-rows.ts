import { bigint, defineTable, integer } from '../../kit/runtime/table.ts'
import type { CardKind } from './card.ts'

export const bins = defineTable('bins', { tableId: bigint(), prefix: integer(), kindId: integer() })

/**
 * Rows of a table while it is read. They are kept in growing number arrays, because 400 000 objects would
 * take a hundred times the memory.
 */
export class BinRows {
  readonly kinds: CardKind[] = []
  #prefixes = new Uint32Array(1024)
  #kindOfPrefix = new Uint32Array(1024)
  #size = 0

  get size(): number {
    return this.#size
  }

  get prefixes(): Uint32Array {
    return this.#prefixes.subarray(0, this.#size)
  }

  /** Index of the kind of each prefix. */
  get kindOfPrefix(): Uint32Array {
    return this.#kindOfPrefix.subarray(0, this.#size)
  }

  add(prefix: number, kindIndex: number): void {
    if (this.#size === this.#prefixes.length) {
      this.#prefixes = withDoubleCapacity(this.#prefixes)
      this.#kindOfPrefix = withDoubleCapacity(this.#kindOfPrefix)
    }
    this.#prefixes[this.#size] = prefix
    this.#kindOfPrefix[this.#size] = kindIndex
    this.#size += 1
  }
}

export function withDoubleCapacity(list: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const longer = new Uint32Array(list.length * 2)
  longer.set(list)
  return longer
}
