/** Where ids come from: whole blocks of them, so that one look into the database serves many. */
export type ReserveIdBlock = () => Promise<{ first: number; count: number }>

/** Makes ids: integers of 14 digits, unique over all instances and all kinds of things. */
export class NumericIdAllocator {
  readonly #reserve: ReserveIdBlock
  #next = 0
  #end = 0
  #ahead: Promise<{ first: number; count: number }> | undefined

  constructor(reserve: ReserveIdBlock) {
    this.#reserve = reserve
  }

  /** The next id. The following block is reserved long before this one is used up, so that nobody waits for it. */
  async next(): Promise<number> {
    while (this.#next === this.#end) {
      const coming = this.#nextBlock()
      const block = await coming
      // Of all who waited for the block, the first begins it; the others must not begin it again.
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

  /** So many ids at once. */
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
