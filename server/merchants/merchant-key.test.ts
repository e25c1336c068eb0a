import assert from 'node:assert/strict'
import { it } from 'node:test'
import { systemRandom } from '../../kit/security/random.ts'
import { hashOfKey, hintOfKey, isKeyText, newKeyText } from './merchant-key.ts'

it('keys show their scope and mode, hold 190 random bits, and differ', () => {
  const keys = Array.from({ length: 1000 }, () => newKeyText('secret', true, systemRandom))
  assert.equal(new Set(keys).size, 1000)
  for (const key of keys) assert.match(key, /^sk_live_[0-9A-Za-z]{38}$/)
  assert.match(newKeyText('public', false, systemRandom), /^pk_test_/)
  const letters = new Set(keys.flatMap((key) => [...key.slice(8, 40)]))
  assert.equal(letters.size, 62, 'every letter and digit is used')
})

it('an error in one character is detected without the database', () => {
  const key = newKeyText('secret', false, systemRandom)
  assert.ok(isKeyText(key))
  for (let index = 0; index < key.length; index++) {
    const other = key[index] === 'x' ? 'y' : 'x'
    assert.ok(!isKeyText(key.slice(0, index) + other + key.slice(index + 1)), `at ${index}`)
  }
})

it('the hint reveals too little to be used', () => {
  const key = newKeyText('secret', false, systemRandom)
  assert.equal([...hintOfKey(key)].length, 17)
  assert.equal(hashOfKey(key).length, 64)
})
