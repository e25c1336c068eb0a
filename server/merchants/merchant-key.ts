import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { RowOf } from '../../kit/runtime/table.ts'
import { bigint, bytea, defineMerchantTable, text, timestamptz } from '../../kit/runtime/table.ts'
import type { Random } from '../../kit/security/random.ts'

export type KeyScope = 'secret' | 'public'

export const merchantKeys = defineMerchantTable('merchant_keys', {
  merchantId: bigint(),
  id: bigint(),
  scope: text<KeyScope>(),
  hash: bytea(),
  /** Its beginning and end, to tell keys apart. */
  hint: text(),
  label: text(),
  createdAt: timestamptz(),
  revokedAt: timestamptz().orNull(),
})

/** A long-lived key of a merchant. Its text is shown once, at creation, and stored as a hash. */
export type MerchantKey = Omit<RowOf<typeof merchantKeys>, 'hash'>

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const secretLength = 32
const checksumLength = 6
const shape = /^[sp]k_(?:test|live)_[0-9A-Za-z]{38}$/

/** Prefix of all keys of this scope: `sk_live_`. */
export function keyPrefix(scope: KeyScope, live: boolean): string {
  return `${scope === 'secret' ? 'sk' : 'pk'}_${live ? 'live' : 'test'}_`
}

/** `sk_live_` and 32 random characters (190 bits), then a checksum by which scanners recognise a real key. */
export function newKeyText(scope: KeyScope, live: boolean, random: Random): string {
  const body = keyPrefix(scope, live) + randomText(random)
  return body + checksum(body)
}

/** True if the text has the form of a key. Needs no database, so invented keys cost nothing. */
export function isKeyText(text: string): boolean {
  return shape.test(text) && text.slice(-checksumLength) === checksum(text.slice(0, -checksumLength))
}

/** Keys are long and random, so a fast hash protects them as well as a slow one. */
export function hashOfKey(text: string): string {
  return hash('sha256', text, 'hex')
}

export function hintOfKey(text: string): string {
  return `${text.slice(0, 12)}…${text.slice(-4)}`
}

/** Uses only random bytes below 248, a multiple of 62, so that every character is equally likely. */
function randomText(random: Random): string {
  let result = ''
  while (result.length < secretLength) {
    for (const byte of random.bytes(64)) {
      if (byte < 248 && result.length < secretLength) result += alphabet[byte % 62]
    }
  }
  return result
}

function checksum(body: string): string {
  let rest = crc32(body)
  let result = ''
  for (let index = 0; index < checksumLength; index++) {
    result = alphabet[rest % 62] + result
    rest = Math.floor(rest / 62)
  }
  return result
}
