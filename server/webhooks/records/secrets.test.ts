import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Keyring } from '../../../kit/security/keyring.ts'
import { systemRandom } from '../../../kit/security/random.ts'
import { newSecret, openSecret, sealSecret } from './secrets.ts'

it('a sealed signing secret opens only for its own merchant, webhook and id', () => {
  const services = {
    keyring: new Keyring('a secret for tests, long enough for it', undefined),
    random: systemRandom,
  }
  const secretId = { merchantId: 1, webhookId: 2, id: 3 }
  const secret = newSecret(systemRandom)
  const sealed = { ...secretId, ...sealSecret(services, secretId, secret) }
  assert.equal(openSecret(services, sealed), secret)
  for (const other of [{ merchantId: 9 }, { webhookId: 9 }, { id: 9 }])
    assert.throws(() => openSecret(services, { ...sealed, ...other }), /not what was sealed for this owner/)
})
