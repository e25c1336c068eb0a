import type { Clock } from '../../kit/runtime/clock.ts'
import type { Log } from '../../kit/runtime/log.ts'
import type { MaybePromise } from '../../kit/runtime/maybe-promise.ts'
import type { Sql } from '../../kit/runtime/sql.ts'

const lookEveryMs = 1_000

/** How often a thing is read for the first time when it changes while it is read. */
const firstTries = 3

/** Data in the database that is read often and changes seldom, so that an instance holds all of it in memory. */
export interface VersionedSource<Thing> {
  name: string
  /** A number that is another one after every change. */
  version(database: Sql): Promise<number>
  /** The thing as it is at this version. When it has changed meanwhile it may throw: it is read again soon. */
  read(database: Sql, version: number): Promise<Thing>
}

interface CacheEntry {
  version: number
  thing: unknown
}

/**
 * Cache of what this instance remembers of the database beside merchants and keys. Guarantee: a change made anywhere is seen by the
 * next look, a second later, and the time it takes to read; until then, and while the database is away, the thing is
 * answered as it was. It is never answered in part.
 */
export class VersionedCache {
  readonly #database: Sql
  readonly #clock: Clock
  readonly #log: Log
  readonly #entries = new Map<VersionedSource<unknown>, CacheEntry>()
  readonly #firstReadings = new Map<VersionedSource<unknown>, Promise<unknown>>()

  constructor(database: Sql, clock: Clock, log: Log) {
    this.#database = database
    this.#clock = clock
    this.#log = log
  }

  /** The thing, from memory but for the first time. */
  get<Thing>(what: VersionedSource<Thing>): MaybePromise<Thing> {
    const remembered = this.#entries.get(what)
    return remembered ? (remembered.thing as Thing) : this.#readFirst(what)
  }

  /** Looks once whether anything that is remembered has changed. */
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

  /** Looks every second until the signal ends it. */
  async watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.refresh()
      await this.#clock.sleep(lookEveryMs, signal).catch(() => undefined)
    }
  }

  /** However many ask for it at once, it is read once. */
  #readFirst<Thing>(what: VersionedSource<Thing>): Promise<Thing> {
    const reading =
      this.#firstReadings.get(what) ??
      this.#readUnchanged(what).finally(() => this.#firstReadings.delete(what))
    this.#firstReadings.set(what, reading)
    return reading as Promise<Thing>
  }

  /** There is nothing older yet that could answer, so a reading that met a change is not reported: it is done again. */
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
