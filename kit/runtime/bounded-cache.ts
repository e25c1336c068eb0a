/** Cache of values computed from keys. When it is full, all entries are dropped. */
export class BoundedCache<Key, Value> {
  readonly #made = new Map<Key, Value>()
  readonly #atMost: number

  constructor(atMost: number) {
    this.#atMost = atMost
  }

  get(key: Key, make: (key: Key) => Value): Value {
    const known = this.#made.get(key)
    if (known !== undefined || this.#made.has(key)) return known as Value
    const value = make(key)
    if (this.#made.size >= this.#atMost) this.#made.clear()
    this.#made.set(key, value)
    return value
  }
}
