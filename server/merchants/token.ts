import { createSigner, createVerifier } from 'fast-jwt'
import type { Keyring, PurposeKey } from '../kit/keyring.ts'
import type { Scope } from './key.ts'

/** What an access token says: whose it is, from which key it was made, what it may do, until when. */
export interface Token {
  merchantId: number
  keyId: number
  scope: Scope
  expiresAt: Date
}

const tokenLifetimeS = 600

interface Claims {
  m: number
  k: number
  s: Scope
  exp: number
}

/**
 * Makes and checks access tokens: JWT, HS256 and nothing else. The first part of a token, which names the algorithm and
 * the key, must be one that we write ourselves, to the letter: so no token can choose how it is checked.
 */
export class Tokens {
  static readonly #ofKeyrings = new WeakMap<Keyring, Tokens>()

  readonly #sign: (claims: Claims) => string
  readonly #verifiers = new Map<string, (token: string) => Claims>()

  /** The tokens of an installation. Deriving its keys costs more than signing, so it is done once. */
  static of(keyring: Keyring): Tokens {
    const tokens = Tokens.#ofKeyrings.get(keyring) ?? new Tokens(keyring)
    Tokens.#ofKeyrings.set(keyring, tokens)
    return tokens
  }

  private constructor(keyring: Keyring) {
    const keys = keyring.keysFor('access tokens')
    this.#sign = signer(keys[0])
    for (const key of keys) {
      const header = signer(key)({ m: 0, k: 0, s: 'public', exp: 0 }).split('.')[0] ?? ''
      // Whether it has expired is asked of our own clock, not of the library's.
      const verify = createVerifier({ key: key.key, algorithms: ['HS256'], ignoreExpiration: true })
      this.#verifiers.set(header, verify as (token: string) => Claims)
    }
  }

  issue(merchantId: number, keyId: number, scope: Scope, now: Date): { text: string; expiresAt: Date } {
    const exp = Math.floor(now.getTime() / 1000) + tokenLifetimeS
    const text = this.#sign({ m: merchantId, k: keyId, s: scope, exp })
    return { text, expiresAt: new Date(exp * 1000) }
  }

  /** What the token says if we signed it, expired or not; undefined if we did not. */
  read(text: string): Token | undefined {
    const verify = this.#verifiers.get(text.slice(0, text.indexOf('.')))
    if (!verify) return undefined
    try {
      const { m, k, s, exp } = verify(text)
      return { merchantId: m, keyId: k, scope: s, expiresAt: new Date(exp * 1000) }
    } catch {
      return undefined
    }
  }
}

function signer({ id, key }: PurposeKey): (claims: Claims) => string {
  return createSigner({ key, kid: id, algorithm: 'HS256', noTimestamp: true }) as (claims: Claims) => string
}
