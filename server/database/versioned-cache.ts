import type { Clock } from '../../kit/runtime/clock.ts'
import { repeat } from '../../kit/runtime/clock.ts'
import type { Log } from '../../kit/runtime/log.ts'
import type { MaybePromise } from '../../kit/runtime/maybe-promise.ts'
import type { Sql, SqlFragment } from '../../kit/runtime/sql.ts'
import { join, sql } from '../../kit/runtime/sql.ts'

const lookEveryMs = 1_000

/** Attempts at the first read if the value changes during it. */
const firstTries = 3

/** Data that is read often and seldom changes, so that an instance keeps all of it in memory. */
export interface VersionedSource<Thing> {
  name: string
  /** Query of a number that differs after every change. */
  readonly version: SqlFragment
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

  /** Asks for all versions in one query: an idle instance asks every second. */
  async refresh(): Promise<void> {
    const known = [...this.#entries.keys()]
    if (known.length === 0) return
    const versions = await versionsOf(this.#database, known).catch((err: unknown) => this.#warn(err))
    for (const [index, version] of (versions ?? []).entries()) {
      const what = known[index]
      if (what) await this.#readIfChanged(what, version).catch((err: unknown) => this.#warn(err, what.name))
    }
  }

  #warn(err: unknown, what?: string): undefined {
    this.#log.warn({ err, what }, 'refreshing cached data failed; the old data stays in use; will retry')
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
      const version = await versionOf(this.#database, what)
      try {
        return await this.#readIfChanged(what, version)
      } catch (error) {
        if (tried === firstTries || (await versionOf(this.#database, what)) === version) throw error
      }
    }
  }

  async #readIfChanged(what: VersionedSource<unknown>, version: number): Promise<unknown> {
    const known = this.#entries.get(what)
    if (known?.version === version) return known.thing
    const thing = await what.read(this.#database, version)
    this.#entries.set(what, { version, thing })
    return thing
  }
}

async function versionOf(database: Sql, what: VersionedSource<unknown>): Promise<number> {
  const [version = Number.NaN] = await versionsOf(database, [what])
  return version
}

async function versionsOf(database: Sql, sources: readonly VersionedSource<unknown>[]): Promise<number[]> {
  const queries = sources.map(({ version }) => sql`(${version})`)
  const { versions } = await database.one<{ versions: number[] }>(
    sql`select json_build_array(${join(queries)}) as versions`,
  )
  return versions
}
