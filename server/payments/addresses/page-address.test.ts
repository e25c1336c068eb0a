import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { it } from 'node:test'
import { systemRandom } from '../../../kit/security/random.ts'
import { decodePageToken, newPageAddress } from './page-address.ts'

const ownedId = { merchantId: 10_000_000_000_001, id: 99_999_999_999_999 }
const address = newPageAddress('https://pay.example', ownedId, systemRandom)
const token = address.url.slice('https://pay.example/p/'.length)

it('a decoded address has the values that it was made of', () => {
  assert.match(address.url, /^https:\/\/pay\.example\/p\/[\w-]{38}$/)
  assert.deepEqual(decodePageToken(token), { ...ownedId, pageKey: address.pageKey })
})

it('only the start of a hash of the 16 random bytes is stored, not the bytes', () => {
  const secret = systemRandom.bytes(16)
  const made = newPageAddress('', ownedId, { bytes: () => secret })
  const digest = createHash('sha256').update(secret).digest()
  assert.deepEqual(made.pageKey, digest.subarray(0, 16))
  assert.equal(Buffer.from(made.url.slice('/p/'.length), 'base64url').subarray(12).equals(secret), true)
})

it('no two addresses of a payment are the same', () => {
  const other = newPageAddress('https://pay.example', ownedId, systemRandom)
  assert.notEqual(other.url, address.url)
  assert.equal(other.pageKey.equals(address.pageKey), false)
})

it('an address that differs in one letter opens another page or none', () => {
  for (let index = 0; index < token.length; index++) {
    const other = token.slice(0, index) + (token[index] === 'A' ? 'B' : 'A') + token.slice(index + 1)
    const read = decodePageToken(other)
    assert.notDeepEqual(read, { ...ownedId, pageKey: address.pageKey }, `at ${index}`)
  }
})

it('an invalid token is refused, and a page has only one address', () => {
  const last = token.at(-1) ?? ''
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const sameBits = alphabet[alphabet.indexOf(last) + 1] ?? ''
  for (const text of [
    '',
    'x',
    `${token}A`,
    token.slice(1),
    `${token}=`,
    token.slice(0, -1) + sameBits,
    ' '.repeat(38),
  ]) {
    assert.equal(decodePageToken(text), undefined, text)
  }
})
