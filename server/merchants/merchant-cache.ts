import type { Clock } from '../../kit/runtime/clock.ts'
import type { Log } from '../../kit/runtime/log.ts'
import type { MaybePromise } from '../../kit/runtime/maybe-promise.ts'
import type { Sql } from '../../kit/runtime/sql.ts'
import { DatabaseUnavailable } from '../../kit/runtime/sql.ts'
import type { Merchant } from './merchant.ts'
import type { MerchantKey } from './merchant-key.ts'
import { hashOfKey, isKeyText } from './merchant-key.ts'
import { keyByHash, keysRevokedSince, merchantById, merchantChangeCount } from './store.ts'

const lookEveryMs = 1_000
const trustedForMs = 4_000
const maxCachedEntries = 50_000

/** Far longer than a token's lifetime, so that clocks of machines may differ. */
const revokedWithinMs = 24 * 60 * 60 * 1000

/**
 * Cached merchants and keys of this instance, so that a request needs no query. Guarantee: a change made
 * anywhere is seen here within five seconds. If the database cannot be reached for that long, nothing is
 * answered from memory.
 */
export class MerchantCache {
  readonly #database: Sql
  readonly #own: Sql
  readonly #clock: Clock
  readonly #log: Log
  readonly #merchants = new Map<number, Merchant>()
  readonly #keys = new Map<string, MerchantKey>()
  #revoked = new Set<number>()
  #changes = -1
  #seenAtMs = Number.NEGATIVE_INFINITY

  /** Changes are checked on `own`, so that lookups on `database` never delay the check. */
  constructor(database: Sql, own: Sql, clock: Clock, log: Log) {
    this.#database = database
    this.#own = own
    this.#clock = clock
    this.#log = log
  }

  /** The merchant, from memory if it is cached. */
  merchant(id: number): MaybePromise<Merchant | undefined> {
    this.#assertFresh()
    return (
      this.#merchants.get(id) ?? this.#remember(this.#merchants, id, () => merchantById(this.#database, id))
    )
  }

  /**
   * The key with this text, including revoked ones. A text that cannot be a key costs no query, and an
   * unknown one is not cached.
   */
  key(text: string): MaybePromise<MerchantKey | undefined> {
    this.#assertFresh()
    const hash = hashOfKey(text)
    const known = this.#keys.get(hash)
    if (known || !isKeyText(text)) return known
    return this.#remember(this.#keys, hash, () => keyByHash(this.#database, hash))
  }

  /** True if a key with this text is cached and not revoked. */
  remembersKey(text: string): boolean {
    return this.#keys.get(hashOfKey(text))?.revokedAt === null
  }

  isRevoked(keyId: number): boolean {
    this.#assertFresh()
    return this.#revoked.has(keyId)
  }

  /**
   * Checks once for changes. The change count is read first, so that all data read later is at least as new.
   */
  async refresh(): Promise<void> {
    const askedAtMs = this.#clock.monotonicMs()
    const changes = await merchantChangeCount(this.#own)
    if (changes !== this.#changes) {
      const since = new Date(this.#clock.now().getTime() - revokedWithinMs)
      this.#revoked = new Set(await keysRevokedSince(this.#own, since))
      this.#merchants.clear()
      this.#keys.clear()
      this.#changes = changes
    }
    this.#seenAtMs = askedAtMs
  }

  /** Checks every second until the signal is aborted. */
  async watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.refresh()
      } catch (err) {
        this.#log.warn({ err }, 'refreshing the merchant cache failed; will retry')
      }
      await this.#clock.sleep(lookEveryMs, signal).catch(() => undefined)
    }
  }

  get isFresh(): boolean {
    return this.#clock.monotonicMs() - this.#seenAtMs <= trustedForMs
  }

  #assertFresh(): void {
    if (this.isFresh) return
    throw new DatabaseUnavailable('the merchant cache has not been refreshed for too long')
  }

  /** Data read before a change and received after it is used once and not cached. */
  async #remember<Name, Thing>(cache: Map<Name, Thing>, name: Name, look: () => Promise<Thing | undefined>) {
    const changes = this.#changes
    const thing = await look()
    if (thing !== undefined && changes === this.#changes) {
      if (cache.size >= maxCachedEntries) cache.clear()
      cache.set(name, thing)
    }
    return thing
  }
}
