import type { Log } from '../../kit/runtime/log.ts'
import type { Caller } from './authenticate.ts'
import { bearerCredential } from './authenticate.ts'
import { keyPrefix } from './merchant-key.ts'

const maxRemembered = 10_000

/** Whether a credential is, or claims to be, a secret key of a live merchant. */
export function isLiveSecretKey(authorization = ''): boolean {
  return bearerCredential(authorization)?.startsWith(keyPrefix('secret', true)) ?? false
}

/**
 * Tells operators of live secret keys that browsers send: such a key stands in a web page, where anybody can copy it.
 * Guarantee: one warning for each key and process, of keys that are genuine alone.
 */
export class BrowserKeyWarnings {
  readonly #log: Log
  readonly #warned = new Set<number>()

  constructor(log: Log) {
    this.#log = log
  }

  /** Looks at the key that a browser was let in with. */
  check({ merchant, key: { id, scope } }: Caller): void {
    if (!merchant.live || scope !== 'secret' || this.#warned.has(id)) return
    // Told again, once it is forgotten: rather twice than never.
    if (this.#warned.size >= maxRemembered) this.#warned.clear()
    this.#warned.add(id)
    this.#log.warn(
      { merchant_id: merchant.id, key_id: id },
      'a live secret key was sent by a browser: revoke it, and keep secret keys out of web pages',
    )
  }
}
