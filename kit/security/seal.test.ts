import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Keyring } from './keyring.ts'
import { systemRandom } from './random.ts'
import { Sealer } from './seal.ts'

const old = 'an old secret that is long enough for it'
const current = 'a new secret that is long enough for it'
const sealerOf = (keyring: Keyring, purpose = 'tests') => new Sealer(keyring.keysFor(purpose), purpose)
const sealer = sealerOf(new Keyring(current, undefined))

it('a sealed value opens to the original and reveals nothing', () => {
  const sealed = sealer.seal('şifre 123', 'owner 1', systemRandom)
  assert.equal(sealer.open(sealed, 'owner 1'), 'şifre 123')
  assert.ok(!sealed.bytes.toString('latin1').includes('123'))
  assert.notDeepEqual(sealer.seal('şifre 123', 'owner 1', systemRandom).bytes, sealed.bytes)
  assert.equal(sealer.open(sealer.seal('', '', systemRandom), ''), '')
})

it('a value that is altered, cut, or sealed for another owner or purpose does not open', () => {
  const sealed = sealer.seal('secret', 'owner 1', systemRandom)
  for (const index of sealed.bytes.keys()) {
    const bytes = Buffer.from(sealed.bytes)
    bytes.writeUInt8((bytes[index] ?? 0) ^ 1, index)
    assert.throws(() => sealer.open({ ...sealed, bytes }, 'owner 1'), /not what was sealed/)
    assert.throws(() => sealer.open({ ...sealed, bytes: sealed.bytes.subarray(0, index) }, 'owner 1'))
  }
  assert.throws(() => sealer.open(sealed, 'owner 2'), /not what was sealed/)
  const others = sealerOf(new Keyring(current, undefined), 'others')
  assert.throws(() => others.open({ ...sealed, keyId: others.keyId }, 'owner 1'), /not what was sealed/)
})

it('the previous secret still opens, the current one seals, and a third does neither', () => {
  const before = sealerOf(new Keyring(old, undefined)).seal('secret', 'owner', systemRandom)
  const both = sealerOf(new Keyring(current, old))
  assert.equal(both.open(before, 'owner'), 'secret')
  assert.equal(both.seal('secret', 'owner', systemRandom).keyId, sealer.keyId)
  assert.throws(() => sealer.open(before, 'owner'), /VEZNE_SECRET_PREVIOUS/)
})
