import type { RequiredCredential } from '../../kit/api/route.ts'
import type { Refusal } from '../../kit/input/refusals.ts'
import {
  merchantSuspended,
  notPermitted,
  Refused,
  tokenExpired,
  unauthenticated,
} from '../../kit/input/refusals.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { MaybePromise } from '../../kit/runtime/maybe-promise.ts'
import { andThen } from '../../kit/runtime/maybe-promise.ts'
import type { AccessTokenClaims, AccessTokens } from './access-token.ts'
import type { Merchant } from './merchant.ts'
import type { MerchantCache } from './merchant-cache.ts'
import type { KeyScope } from './merchant-key.ts'

const maxRead = 10_000

export interface Caller {
  merchant: Merchant
  key: { id: number; scope: KeyScope }
  /** Expiry of a token; undefined for a key, which does not expire. */
  expiresAt: Date | undefined
}

export const credentialRefusals: Record<RequiredCredential, readonly Refusal[]> = {
  key: [unauthenticated, notPermitted, merchantSuspended],
  secret: [unauthenticated, tokenExpired, notPermitted, merchantSuspended],
  any: [unauthenticated, tokenExpired, notPermitted, merchantSuspended],
}

/**
 * Authenticates the caller by the Authorization header. Guarantee: the reason why a credential is invalid is
 * never disclosed.
 */
export class Authenticator {
  readonly #merchantCache: MerchantCache
  readonly #tokens: AccessTokens
  readonly #clock: Clock

  /** Claims of tokens already verified, by their header. Each token is sent many times. */
  readonly #tokensRead = new Map<string, AccessTokenClaims>()

  constructor(merchantCache: MerchantCache, tokens: AccessTokens, clock: Clock) {
    this.#merchantCache = merchantCache
    this.#tokens = tokens
    this.#clock = clock
  }

  /** Identifies the caller if the credential is genuine. `assertPermitted` checks the permissions. */
  identify(credential: RequiredCredential, authorization: string | undefined): MaybePromise<Caller> {
    return credential === 'key' ? this.#byKey(bearer(authorization)) : this.#byToken(authorization)
  }

  /** True if the credential is cached as genuine and not revoked since: admitting it then costs no query. */
  remembers(credential: RequiredCredential, authorization = ''): boolean {
    if (credential === 'key') return this.#merchantCache.remembersKey(bearerCredential(authorization) ?? '')
    const token = this.#tokensRead.get(authorization)
    return token !== undefined && !this.#merchantCache.isRevoked(token.keyId)
  }

  assertPermitted(caller: Caller, credential: RequiredCredential, origin: string | undefined): void {
    if (caller.expiresAt && caller.expiresAt.getTime() <= this.#clock.now().getTime()) {
      throw new Refused(tokenExpired)
    }
    if (caller.merchant.state === 'suspended') throw new Refused(merchantSuspended)
    if (credential === 'secret' && caller.key.scope !== 'secret') throw new Refused(notPermitted)
    if (!mayComeFrom(caller, origin)) throw new Refused(notPermitted)
  }

  assertNotRevoked({ key }: Pick<Caller, 'key'>): void {
    if (this.#merchantCache.isRevoked(key.id)) throw new Refused(unauthenticated)
  }

  #byKey(text: string): MaybePromise<Caller> {
    return andThen(this.#merchantCache.key(text), (key) => {
      if (!key || key.revokedAt !== null) throw new Refused(unauthenticated)
      const { id, scope, merchantId } = key
      return this.#callerOf(merchantId, { id, scope }, undefined)
    })
  }

  #byToken(authorization = ''): MaybePromise<Caller> {
    const token = this.#tokensRead.get(authorization) ?? this.#readToken(authorization)
    if (!token) throw new Refused(unauthenticated)
    const key = { id: token.keyId, scope: token.scope }
    this.assertNotRevoked({ key })
    return this.#callerOf(token.merchantId, key, token.expiresAt)
  }

  #callerOf(merchantId: number, key: Caller['key'], expiresAt: Date | undefined): MaybePromise<Caller> {
    return andThen(this.#merchantCache.merchant(merchantId), (merchant) => {
      if (!merchant) throw new Refused(unauthenticated)
      return { merchant, key, expiresAt }
    })
  }

  #readToken(authorization: string): AccessTokenClaims | undefined {
    const text = bearer(authorization)
    const token = this.#tokens.read(text)
    // Cached only in the usual spelling: a token can be sent in many spellings, and they must not fill the
    // memory.
    if (token && authorization === `Bearer ${text}`) {
      if (this.#tokensRead.size >= maxRead) this.#tokensRead.clear()
      this.#tokensRead.set(authorization, token)
    }
    return token
  }
}

function bearer(authorization = ''): string {
  const text = bearerCredential(authorization)
  if (text === undefined) throw new Refused(unauthenticated)
  return text
}

/** The credential in an Authorization header, if there is one. */
export function bearerCredential(authorization: string): string | undefined {
  return /^bearer +(\S{1,2000})$/i.exec(authorization)?.[1]
}

/**
 * Browsers send their origin. Anyone can copy a public key, so a live merchant's works only on its own sites.
 */
function mayComeFrom({ merchant, key }: Caller, origin: string | undefined): boolean {
  if (origin === undefined || key.scope === 'secret' || !merchant.live) return true
  return merchant.origins.includes(origin)
}
