/** Reserves a block of ids, so that one query serves many. */
export type ReserveIdBlock = () => Promise<{ first: number; count: number }>

/** Allocates ids: integers of 14 digits, unique across all instances and all kinds of records. */
export class NumericIdAllocator {
  readonly #reserve: ReserveIdBlock
  #next = 0
  #end = 0
  #ahead: Promise<{ first: number; count: number }> | undefined

  constructor(reserve: ReserveIdBlock) {
    this.#reserve = reserve
  }

  /** Next id. The following block is reserved early, so that callers do not wait for it. */
  async next(): Promise<number> {
    while (this.#next === this.#end) {
      const coming = this.#nextBlock()
      const block = await coming
      // Several callers may wait for the same block. The first one begins it; the others must not begin it
      // again.
      if (this.#ahead !== coming) continue
      this.#ahead = undefined
      this.#next = block.first
      this.#end = block.first + block.count
    }
    const id = this.#next
    this.#next += 1
    if (this.#end - id < 500) this.#nextBlock().catch(() => undefined)
    return id
  }

  nextMany(count: number): Promise<number[]> {
    return Promise.all(Array.from({ length: count }, () => this.next()))
  }

  #nextBlock(): Promise<{ first: number; count: number }> {
    this.#ahead ??= this.#reserve().catch((error: unknown) => {
      this.#ahead = undefined
      throw error
    })
    return this.#ahead
  }
}
