import type { Log } from '../../kit/runtime/log.ts'
import type { Caller } from './authenticate.ts'
import { bearerCredential } from './authenticate.ts'
import { keyPrefix } from './merchant-key.ts'

const maxRemembered = 10_000

/** True if the credential has the form of a live merchant's secret key. */
export function isLiveSecretKey(authorization = ''): boolean {
  return bearerCredential(authorization)?.startsWith(keyPrefix('secret', true)) ?? false
}

/**
 * Warns operators of live secret keys that browsers send: such a key is in a web page, where anyone can copy
 * it. Guarantee: one warning per key and process, and only for genuine keys.
 */
export class BrowserKeyWarnings {
  readonly #log: Log
  readonly #warned = new Set<number>()

  constructor(log: Log) {
    this.#log = log
  }

  /** Checks a key that a browser was admitted with. */
  check({ merchant, key: { id, scope } }: Caller): void {
    if (!merchant.live || scope !== 'secret' || this.#warned.has(id)) return
    // After clearing, a warning may be repeated: twice is better than never.
    if (this.#warned.size >= maxRemembered) this.#warned.clear()
    this.#warned.add(id)
    this.#log.warn(
      { merchant_id: merchant.id, key_id: id },
      'a live secret key was sent by a browser: revoke it, and keep secret keys out of web pages',
    )
  }
}
