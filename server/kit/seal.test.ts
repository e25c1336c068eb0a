import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Keyring } from './keyring.ts'
import { systemRandom } from './random.ts'
import { Seals } from './seal.ts'

const old = 'an old secret that is long enough for it'
const current = 'a new secret that is long enough for it'
const sealsOf = (keyring: Keyring, purpose = 'tests') => new Seals(keyring.keysFor(purpose), purpose)
const seals = sealsOf(new Keyring(current, undefined))

it('what is sealed opens again, and shows nothing of itself', () => {
  const sealed = seals.seal('şifre 123', 'owner 1', systemRandom)
  assert.equal(seals.open(sealed, 'owner 1'), 'şifre 123')
  assert.ok(!sealed.bytes.toString('latin1').includes('123'))
  assert.notDeepEqual(seals.seal('şifre 123', 'owner 1', systemRandom).bytes, sealed.bytes)
  assert.equal(seals.open(seals.seal('', '', systemRandom), ''), '')
})

it('altered in any byte, cut short, or for another owner or purpose, it does not open', () => {
  const sealed = seals.seal('secret', 'owner 1', systemRandom)
  for (const index of sealed.bytes.keys()) {
    const bytes = Buffer.from(sealed.bytes)
    bytes.writeUInt8((bytes[index] ?? 0) ^ 1, index)
    assert.throws(() => seals.open({ ...sealed, bytes }, 'owner 1'), /not what was sealed/)
    assert.throws(() => seals.open({ ...sealed, bytes: sealed.bytes.subarray(0, index) }, 'owner 1'))
  }
  assert.throws(() => seals.open(sealed, 'owner 2'), /not what was sealed/)
  const others = sealsOf(new Keyring(current, undefined), 'others')
  assert.throws(() => others.open({ ...sealed, keyId: others.keyId }, 'owner 1'), /not what was sealed/)
})

it('the previous secret still opens, the current one seals, and a third does neither', () => {
  const before = sealsOf(new Keyring(old, undefined)).seal('secret', 'owner', systemRandom)
  const both = sealsOf(new Keyring(current, old))
  assert.equal(both.open(before, 'owner'), 'secret')
  assert.equal(both.seal('secret', 'owner', systemRandom).keyId, seals.keyId)
  assert.throws(() => seals.open(before, 'owner'), /VEZNE_SECRET_PREVIOUS/)
})
