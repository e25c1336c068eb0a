import type { Clock } from '../kit/clock.ts'
import type { Eventually } from '../kit/eventually.ts'
import { goOn } from '../kit/eventually.ts'
import type { Refusal } from '../kit/refusals.ts'
import { merchantSuspended, notPermitted, Refused, tokenExpired, unauthenticated } from '../kit/refusals.ts'
import type { Credential } from '../kit/route.ts'
import type { Directory } from './directory.ts'
import type { Scope } from './key.ts'
import type { Merchant } from './merchant.ts'
import type { Tokens } from './token.ts'

/** Who is calling, proven. */
export interface Caller {
  merchant: Merchant
  key: { id: number; scope: Scope }
}

export const credentialRefusals: Record<Credential, readonly Refusal[]> = {
  key: [unauthenticated, notPermitted, merchantSuspended],
  secret: [unauthenticated, tokenExpired, notPermitted, merchantSuspended],
  any: [unauthenticated, tokenExpired, notPermitted, merchantSuspended],
}

/** Proves who is calling from the Authorization header. Guarantee: why a credential is not valid is never told. */
export class Authenticator {
  readonly #directory: Directory
  readonly #tokens: Tokens
  readonly #clock: Clock

  constructor(directory: Directory, tokens: Tokens, clock: Clock) {
    this.#directory = directory
    this.#tokens = tokens
    this.#clock = clock
  }

  authenticate(
    credential: Credential,
    authorization: string | undefined,
    origin: string | undefined,
  ): Eventually<Caller> {
    const text = bearer(authorization)
    const caller = credential === 'key' ? this.#byKey(text) : this.#byToken(text)
    return goOn(caller, (known) => permitted(known, credential, origin))
  }

  #byKey(text: string): Eventually<Caller> {
    return goOn(this.#directory.key(text), (key) => {
      if (!key || key.revokedAt !== null) throw new Refused(unauthenticated)
      return this.#caller(key.merchantId, key.id, key.scope)
    })
  }

  #byToken(text: string): Eventually<Caller> {
    const token = this.#tokens.read(text)
    if (!token || this.#directory.isRevoked(token.keyId)) throw new Refused(unauthenticated)
    if (token.expiresAt <= this.#clock.now()) throw new Refused(tokenExpired)
    return this.#caller(token.merchantId, token.keyId, token.scope)
  }

  #caller(merchantId: number, keyId: number, scope: Scope): Eventually<Caller> {
    return goOn(this.#directory.merchant(merchantId), (merchant) => {
      if (!merchant) throw new Refused(unauthenticated)
      return { merchant, key: { id: keyId, scope } }
    })
  }
}

function permitted(caller: Caller, credential: Credential, origin: string | undefined): Caller {
  if (caller.merchant.state === 'suspended') throw new Refused(merchantSuspended)
  if (credential === 'secret' && caller.key.scope !== 'secret') throw new Refused(notPermitted)
  if (!mayComeFrom(caller, origin)) throw new Refused(notPermitted)
  return caller
}

function bearer(authorization: string | undefined): string {
  const match = /^bearer +(\S{1,2000})$/i.exec(authorization ?? '')
  if (!match?.[1]) throw new Refused(unauthenticated)
  return match[1]
}

/** A browser says where it is. A live merchant's public key, which anybody can copy, works on its own sites alone. */
function mayComeFrom({ merchant, key }: Caller, origin: string | undefined): boolean {
  if (origin === undefined || key.scope === 'secret' || !merchant.live) return true
  return merchant.origins.includes(origin)
}
