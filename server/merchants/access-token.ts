import type { KeyObject } from 'node:crypto'
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import type { Keyring } from '../../kit/security/keyring.ts'
import type { KeyScope } from './merchant-key.ts'

/** Claims of an access token: its merchant, its key, its scope and its expiry. */
export interface AccessTokenClaims {
  merchantId: number
  keyId: number
  scope: KeyScope
  expiresAt: Date
}

const tokenLifetimeS = 600
const maxLatest = 10_000

interface IssuedToken {
  text: string
  expiresAt: Date
}

interface Claims {
  m: number
  k: number
  s: KeyScope
  exp: number
}

/**
 * Creates and verifies access tokens: JWT with HS256 only. The header, which names the algorithm and the key,
 * must equal one that we write ourselves, so no token can choose how it is verified.
 */
export class AccessTokens {
  static readonly #ofKeyrings = new WeakMap<Keyring, AccessTokens>()

  /** Keys by the header of the tokens that each signs. */
  readonly #keys = new Map<string, KeyObject>()
  readonly #header: string
  /** The last token of each key, by the key's id. */
  readonly #latest = new Map<number, IssuedToken & { exp: number }>()

  /** The tokens of an installation. Deriving the keys costs more than signing, so it is done once. */
  static of(keyring: Keyring): AccessTokens {
    const tokens = AccessTokens.#ofKeyrings.get(keyring) ?? new AccessTokens(keyring)
    AccessTokens.#ofKeyrings.set(keyring, tokens)
    return tokens
  }

  private constructor(keyring: Keyring) {
    const keys = keyring.keysFor('access tokens')
    this.#header = headerOf(keys[0].id)
    for (const { id, key } of keys) this.#keys.set(headerOf(id), createSecretKey(key))
  }

  issue(merchantId: number, keyId: number, scope: KeyScope, now: Date): IssuedToken {
    const exp = Math.floor(now.getTime() / 1000) + tokenLifetimeS
    // Tokens of one key within the same second are identical, so a burst of requests signs once a second.
    const latest = this.#latest.get(keyId)
    if (latest?.exp === exp) return latest
    const claims: Claims = { m: merchantId, k: keyId, s: scope, exp }
    const signed = `${this.#header}.${encode(claims)}`
    const text = `${signed}.${this.#signature(this.#header, signed)}`
    const issued = { text, expiresAt: new Date(exp * 1000), exp }
    if (this.#latest.size >= maxLatest) this.#latest.clear()
    this.#latest.set(keyId, issued)
    return issued
  }

  /** The claims if we signed the token, expired or not; otherwise undefined. */
  read(text: string): AccessTokenClaims | undefined {
    const [header = '', claims = '', signature = '', ...others] = text.split('.', 4)
    if (!this.#keys.has(header) || others.length > 0) return undefined
    if (!isSame(signature, this.#signature(header, `${header}.${claims}`))) return undefined
    const { m, k, s, exp }: Claims = JSON.parse(Buffer.from(claims, 'base64url').toString())
    return { merchantId: m, keyId: k, scope: s, expiresAt: new Date(exp * 1000) }
  }

  #signature(header: string, signed: string): string {
    const key = this.#keys.get(header)
    if (!key) throw new Error('no key signs with this header')
    return createHmac('sha256', key).update(signed).digest('base64url')
  }
}

function headerOf(keyId: string): string {
  return encode({ alg: 'HS256', typ: 'JWT', kid: keyId })
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

/** Constant-time comparison. */
function isSame(given: string, due: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(due)]
  return one.length === other.length && timingSafeEqual(one, other)
}
