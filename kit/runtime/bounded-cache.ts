/** Cache of values computed from keys. When it is full, all entries are dropped. */
export class BoundedCache<Key, Value> {
  readonly #made = new Map<Key, Value>()
  readonly #atMost: number

  constructor(atMost: number) {
    this.#atMost = atMost
  }

  get(key: Key, make: (key: Key) => Value): Value {
    if (this.#made.has(key)) return this.#made.get(key) as Value
    const value = make(key)
    if (this.#made.size >= this.#atMost) this.#made.clear()
    this.#made.set(key, value)
    return value
  }
}
