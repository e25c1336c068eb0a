import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { sql } from '../../kit/runtime/sql.ts'
import { Keyring } from '../../kit/security/keyring.ts'
import { testApi } from '../../testing/harness/api.ts'
import { runTypedCommand } from '../../testing/harness/command-line.ts'
import { ensureDemoPos } from './demo-pos.ts'
import { resealPosSecretsInBackground } from './reseal-secrets.ts'
import { openSecrets, recordSealingKey } from './secrets.ts'
import { posOfMerchant, replaceSecrets, sealedSecretsOf } from './store.ts'

const folder = mkdtempSync(join(tmpdir(), 'vezne-pos-'))
after(() => rmSync(folder, { recursive: true }))
const file = join(folder, 'secrets')
writeFileSync(file, 'terminal=5\npassword=6\n')

const old = 'the secret that was in use until now'
const current = 'the secret that is in use from now on'

const api = await testApi({ env: { VEZNE_SECRET: old } })
const { services } = api
const withSecrets = (now: string, previous?: string) => ({ ...services, keyring: new Keyring(now, previous) })

it('secrets sealed with the previous installation secret are resealed, and then open without it', async () => {
  await ensureDemoPos(services, api.merchant)
  const [pos] = await posOfMerchant(services.sql, api.merchant.id)
  assert.ok(pos)
  const before = openSecrets(services, await sealedSecretsOf(services.sql, pos))
  assert.equal(await resealPosSecretsInBackground(services), 0)
  await assert.rejects(runTypedCommand(withSecrets(current), ['pos', 'reseal']), /Neither VEZNE_SECRET nor/)
  assert.equal(await runTypedCommand(withSecrets(current, old), ['pos', 'reseal']), '2 secrets resealed.')
  assert.deepEqual(openSecrets(withSecrets(current), await sealedSecretsOf(services.sql, pos)), before)
  assert.throws(() => openSecrets(services, { ...pos, secrets: Buffer.alloc(40), secretsKeyId: '' }))
})

it('a command with another installation secret than the service’s reseals nothing', async () => {
  await recordSealingKey(withSecrets(current))
  const [pos] = await posOfMerchant(services.sql, api.merchant.id)
  assert.ok(pos)
  const before = await sealedSecretsOf(services.sql, pos)
  const basics = ['--name', 'Yeni', '--bank', '62', '--connector', 'sandbox', '--single-rate', '1']
  const attempts = [
    ['pos', 'add', String(api.merchant.id), ...basics],
    ['pos', 'change', String(pos.id), '--secrets', file],
    ['pos', 'reseal'],
  ]
  for (const words of attempts) {
    await assert.rejects(runTypedCommand(withSecrets(old), words), /differs from that of the service/)
  }
  assert.deepEqual(await sealedSecretsOf(services.sql, pos), before)
  await runTypedCommand(withSecrets(current), attempts[1] ?? [])
  assert.equal(openSecrets(withSecrets(current), await sealedSecretsOf(services.sql, pos))['terminal'], '5')
  await recordSealingKey(withSecrets(old))
})

it('secrets that were replaced meanwhile are not overwritten', async () => {
  const [pos] = await posOfMerchant(services.sql, api.merchant.id)
  assert.ok(pos)
  const seen = await sealedSecretsOf(services.sql, pos)
  await runTypedCommand(services, ['pos', 'change', String(pos.id), '--secrets', file])
  assert.equal(
    await replaceSecrets(services.sql, seen, { bytes: seen.secrets, keyId: seen.secretsKeyId }),
    false,
  )
  assert.equal(openSecrets(services, await sealedSecretsOf(services.sql, pos))['terminal'], '5')
})

it('secrets that cannot be opened do not stop the others, and their POS is logged', async () => {
  const [broken, good] = await posOfMerchant(services.sql, api.merchant.id)
  assert.ok(broken && good)
  await services.sql.run(
    sql`update pos_credentials set secrets = '\\x00', secrets_key_id = 'x' where id = ${broken.id}`,
  )
  assert.equal(await resealPosSecretsInBackground(withSecrets(old, current)), 1)
  assert.ok(
    api.lines.some(
      (line) => line.includes('opening the secrets of a POS failed') && line.includes(String(broken.id)),
    ),
  )
  openSecrets(services, await sealedSecretsOf(services.sql, good))
})
