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

/** Who is calling, proven. */
export interface Caller {
  merchant: Merchant
  key: { id: number; scope: KeyScope }
  /** Of a token; a key does not expire. */
  expiresAt: Date | undefined
}

export const credentialRefusals: Record<RequiredCredential, readonly Refusal[]> = {
  key: [unauthenticated, notPermitted, merchantSuspended],
  secret: [unauthenticated, tokenExpired, notPermitted, merchantSuspended],
  any: [unauthenticated, tokenExpired, notPermitted, merchantSuspended],
}

/** Proves who is calling from the Authorization header. Guarantee: why a credential is not valid is never told. */
export class Authenticator {
  readonly #merchantCache: MerchantCache
  readonly #tokens: AccessTokens
  readonly #clock: Clock

  /** What tokens say that were read before, by the header that they came in. Each is sent many times, and stays good. */
  readonly #tokensRead = new Map<string, AccessTokenClaims>()

  constructor(merchantCache: MerchantCache, tokens: AccessTokens, clock: Clock) {
    this.#merchantCache = merchantCache
    this.#tokens = tokens
    this.#clock = clock
  }

  /** Who it is, if the credential is genuine. What that one may do is another question, asked by `assertPermitted`. */
  identify(credential: RequiredCredential, authorization: string | undefined): MaybePromise<Caller> {
    return credential === 'key' ? this.#byKey(bearer(authorization)) : this.#byToken(authorization)
  }

  /** Whether it is remembered as genuine, and not revoked since: then it costs nothing to let it in. */
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

  assertNotRevoked({ key }: Caller): void {
    if (this.#merchantCache.isRevoked(key.id)) throw new Refused(unauthenticated)
  }

  #byKey(text: string): MaybePromise<Caller> {
    return andThen(this.#merchantCache.key(text), (key) => {
      if (!key || key.revokedAt !== null) throw new Refused(unauthenticated)
      const { id, scope, merchantId } = key
      return andThen(this.#merchantCache.merchant(merchantId), (merchant) => {
        if (!merchant) throw new Refused(unauthenticated)
        return { merchant, key: { id, scope }, expiresAt: undefined }
      })
    })
  }

  #byToken(authorization = ''): MaybePromise<Caller> {
    const token = this.#tokensRead.get(authorization) ?? this.#readToken(authorization)
    if (!token) throw new Refused(unauthenticated)
    const { merchantId, keyId: id, scope, expiresAt } = token
    return andThen(this.#merchantCache.merchantOfToken(merchantId, id), (merchant) => {
      if (!merchant) throw new Refused(unauthenticated)
      return { merchant, key: { id, scope }, expiresAt }
    })
  }

  #readToken(authorization: string): AccessTokenClaims | undefined {
    const text = bearer(authorization)
    const token = this.#tokens.read(text)
    // Written as nearly everybody does: the same token can be sent in very many ways, and none is to fill the memory.
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

/** The credential in an Authorization header, if it has one. */
export function bearerCredential(authorization: string): string | undefined {
  return /^bearer +(\S{1,2000})$/i.exec(authorization)?.[1]
}

/** A browser says where it is. A live merchant's public key, which anybody can copy, works on its own sites alone. */
function mayComeFrom({ merchant, key }: Caller, origin: string | undefined): boolean {
  if (origin === undefined || key.scope === 'secret' || !merchant.live) return true
  return merchant.origins.includes(origin)
}
