import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../testing/harness/any-text.ts'
import { repetitions } from '../../../testing/harness/tier.ts'
import { decodeMessage, encodeMessage } from './encoding.ts'

it('a message is encoded as base64url without padding and decoded unchanged', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const sent = JSON.parse(JSON.stringify(value))
      const text = encodeMessage(sent)
      assert.match(text, /^[\w-]+$/)
      assert.deepEqual(decodeMessage(text), sent)
    }),
  )
})

it('Turkish letters are encoded in UTF-8', () => {
  assert.equal(encodeMessage({ a: 'ğ' }), 'eyJhIjoixJ8ifQ')
})

it('padding, the standard alphabet, white space and a plus turned into a space are accepted', () => {
  const value = { note: '??>>~~ışık', more: 'a' }
  const standard = Buffer.from(JSON.stringify(value)).toString('base64')
  assert.match(standard, /[+/].*=$/)
  const urlSafe = standard.replaceAll('+', '-').replaceAll('/', '_')
  const written = [
    standard,
    urlSafe,
    standard.replaceAll('+', ' '),
    `\r\n${standard.slice(0, 8)}\r\n${standard.slice(8)} `,
    `${urlSafe.slice(0, 8)} ${urlSafe.slice(8)}`,
  ]
  for (const text of written) assert.deepEqual(decodeMessage(text), value, text)
})

it('an unreadable message is undefined, and no input throws', () => {
  const long = Buffer.from(JSON.stringify({ a: 'x'.repeat(64 * 1024) })).toString('base64url')
  for (const text of ['', '=', 'e', 'eyJ', '{"a":1}', '_w', long, undefined, null, 5, ['eyJhIjoxfQ'], {}]) {
    assert.equal(decodeMessage(text), undefined, String(text).slice(0, 20))
  }
  fc.assert(
    fc.property(fc.oneof(fc.anything(), fc.string({ unit: anyCharacter }), fc.base64String()), (text) => {
      decodeMessage(text)
    }),
    { numRuns: repetitions(1_000) },
  )
})
