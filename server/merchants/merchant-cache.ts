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

/** Longer than a token lives by far, so that clocks of different machines may differ. */
const revokedWithinMs = 24 * 60 * 60 * 1000

/**
 * Merchants and keys as this instance remembers them, so that a request need not ask the database. Guarantee: a change
 * made anywhere is seen here within five seconds; when the database cannot be asked for that long, nothing is
 * answered from memory any more.
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

  /** Looks for changes on `own`, so that however many look-ups of `database` are under way, none keeps it from that. */
  constructor(database: Sql, own: Sql, clock: Clock, log: Log) {
    this.#database = database
    this.#own = own
    this.#clock = clock
    this.#log = log
  }

  /** The merchant, from memory if it is there. */
  merchant(id: number): MaybePromise<Merchant | undefined> {
    this.#assertFresh()
    return (
      this.#merchants.get(id) ?? this.#remember(this.#merchants, id, () => merchantById(this.#database, id))
    )
  }

  /** The merchant of a token, unless the key that it was made from is revoked. One look at the clock serves both. */
  merchantOfToken(id: number, keyId: number): MaybePromise<Merchant | undefined> {
    this.#assertFresh()
    if (this.#revoked.has(keyId)) return undefined
    return (
      this.#merchants.get(id) ?? this.#remember(this.#merchants, id, () => merchantById(this.#database, id))
    )
  }

  /**
   * The key with this text, revoked ones included. A text that cannot be a key costs no look into the database, and
   * one that is no key of anybody is not remembered.
   */
  key(text: string): MaybePromise<MerchantKey | undefined> {
    this.#assertFresh()
    const hash = hashOfKey(text)
    const known = this.#keys.get(hash)
    if (known || !isKeyText(text)) return known
    return this.#remember(this.#keys, hash, () => keyByHash(this.#database, hash))
  }

  /** Whether a key with this text is in memory, and not revoked. */
  remembersKey(text: string): boolean {
    return this.#keys.get(hashOfKey(text))?.revokedAt === null
  }

  isRevoked(keyId: number): boolean {
    this.#assertFresh()
    return this.#revoked.has(keyId)
  }

  /** Looks once whether anything has changed. The count is read first: what comes after it is at least as new. */
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

  /** Looks every second until the signal ends it. */
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

  /** What was read before a change and arrives after it is used once and not kept. */
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
