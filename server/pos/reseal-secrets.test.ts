import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Keyring } from '../kit/keyring.ts'
import { sql } from '../kit/sql.ts'
import { testApi } from '../testing/api.ts'
import { typed } from '../testing/command-line.ts'
import { ensureDemoPos } from './demo-pos.ts'
import { posCommands } from './index.ts'
import { resealInBackground } from './reseal-secrets.ts'
import { openSecrets } from './secrets.ts'
import { posOfMerchant, secretsOf } from './store.ts'

const old = 'the secret that was in use until now'
const current = 'the secret that is in use from now on'

const api = await testApi({ env: { VEZNE_SECRET: old } })
const { services } = api
const withSecrets = (now: string, previous?: string) => ({ ...services, keyring: new Keyring(now, previous) })

it('what the previous secret sealed is sealed by the current one, and then opens without the previous one', async () => {
  await ensureDemoPos(services, api.merchant)
  const [pos] = await posOfMerchant(services.sql, api.merchant.id)
  assert.ok(pos)
  const before = openSecrets(services, await secretsOf(services.sql, pos))
  assert.equal(await resealInBackground(services), 0)
  await assert.rejects(typed(withSecrets(current), posCommands, ['pos', 'reseal']), /Neither VEZNE_SECRET/)
  assert.equal(await typed(withSecrets(current, old), posCommands, ['pos', 'reseal']), '2 sealed anew.')
  assert.deepEqual(openSecrets(withSecrets(current), await secretsOf(services.sql, pos)), before)
  assert.throws(() =>
    openSecrets(services, { merchantId: pos.merchantId, posId: pos.id, bytes: Buffer.alloc(40), keyId: '' }),
  )
})

it('one that nothing opens keeps none of the others from it, and is named in the log', async () => {
  const [broken, good] = await posOfMerchant(services.sql, api.merchant.id)
  assert.ok(broken && good)
  await services.sql.run(
    sql`update pos_credentials set secrets = '\\x00', secrets_key = 'x' where id = ${broken.id}`,
  )
  assert.equal(await resealInBackground(withSecrets(old, current)), 1)
  assert.ok(api.lines.some((line) => line.includes('cannot be opened') && line.includes(String(broken.id))))
  openSecrets(services, await secretsOf(services.sql, good))
})
