import type { Clock } from '../../kit/runtime/clock.ts'
import { repeat } from '../../kit/runtime/clock.ts'
import type { Log } from '../../kit/runtime/log.ts'
import type { MaybePromise } from '../../kit/runtime/maybe-promise.ts'
import type { Sql } from '../../kit/runtime/sql.ts'

const lookEveryMs = 1_000

/** Attempts at the first read if the value changes during it. */
const firstTries = 3

/** Data that is read often and seldom changes, so that an instance keeps all of it in memory. */
export interface VersionedSource<Thing> {
  name: string
  /** A number that differs after every change. */
  version(database: Sql): Promise<number>
  /** The value at this version. If it has changed meanwhile, this may throw, and is called again soon. */
  read(database: Sql, version: number): Promise<Thing>
}

/**
 * Cached data of this instance besides merchants and keys. Guarantee: a change made anywhere is seen after
 * the next check, one second later, plus the time to read it. Until then, and while the database is
 * unreachable, the old value is returned, always complete.
 */
export class VersionedCache {
  readonly #database: Sql
  readonly #clock: Clock
  readonly #log: Log
  readonly #entries = new Map<VersionedSource<unknown>, { version: number; thing: unknown }>()
  readonly #firstReadings = new Map<VersionedSource<unknown>, Promise<unknown>>()

  constructor(database: Sql, clock: Clock, log: Log) {
    this.#database = database
    this.#clock = clock
    this.#log = log
  }

  /** The value, from memory except the first time. */
  get<Thing>(what: VersionedSource<Thing>): MaybePromise<Thing> {
    const remembered = this.#entries.get(what)
    return remembered ? (remembered.thing as Thing) : this.#readFirst(what)
  }

  async refresh(): Promise<void> {
    for (const what of this.#entries.keys()) {
      try {
        await this.#readIfChanged(what)
      } catch (err) {
        this.#log.warn(
          { err, what: what.name },
          'refreshing cached data failed; the old data stays in use; will retry',
        )
      }
    }
  }

  watch(signal: AbortSignal): Promise<void> {
    return repeat(this.#clock, lookEveryMs, signal, () => this.refresh())
  }

  /** Simultaneous callers share one read. */
  #readFirst<Thing>(what: VersionedSource<Thing>): Promise<Thing> {
    const read = () => this.#readUnchanged(what).finally(() => this.#firstReadings.delete(what))
    return this.#firstReadings.getOrInsertComputed(what, read) as Promise<Thing>
  }

  /** No older value exists yet, so a read that met a change is repeated and not reported. */
  async #readUnchanged(what: VersionedSource<unknown>): Promise<unknown> {
    for (let tried = 1; ; tried++) {
      const version = await what.version(this.#database)
      try {
        return await this.#readIfChanged(what)
      } catch (error) {
        if (tried === firstTries || (await what.version(this.#database)) === version) throw error
      }
    }
  }

  async #readIfChanged(what: VersionedSource<unknown>): Promise<unknown> {
    const version = await what.version(this.#database)
    const known = this.#entries.get(what)
    if (known?.version === version) return known.thing
    const thing = await what.read(this.#database, version)
    this.#entries.set(what, { version, thing })
    return thing
  }
}
