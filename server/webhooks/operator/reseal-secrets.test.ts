import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from '../../../kit/runtime/sql.ts'
import { Keyring } from '../../../kit/security/keyring.ts'
import { testApi } from '../../../testing/harness/api.ts'
import { runTypedCommand } from '../../../testing/harness/command-line.ts'
import { newTestWebhook } from '../../../testing/seed/delivery.ts'
import { recordSealingKey } from '../../pos/index.ts'
import { deliveryTargetOfWebhook } from '../deliver/store.ts'
import { rotateSecret } from '../manage/rotate-secret.ts'
import { openSecret } from '../records/secrets.ts'
import { replaceSealedSecret, webhookSecretsSealedByOtherKeys } from '../records/webhook.sql.ts'
import type { Webhook } from '../records/webhook.ts'
import { resealWebhookSecretsInBackground } from './reseal-secrets.ts'

const old = 'the secret that was in use until now'
const current = 'the secret that is in use from now on'

const api = await testApi({ env: { VEZNE_SECRET: old } })
const { services, merchant } = api
const withSecrets = (now: string, previous?: string) => ({ ...services, keyring: new Keyring(now, previous) })
const reseal = (now: string, previous?: string) =>
  runTypedCommand(withSecrets(now, previous), ['webhook', 'reseal'])

async function opened(webhook: Webhook, keyring: Keyring): Promise<string[]> {
  const target = await deliveryTargetOfWebhook(services.sql, webhook, services.clock.now())
  return (target?.secrets ?? []).map((sealed) => openSecret({ keyring }, sealed))
}

it('secrets sealed with the previous installation secret are resealed, and then open without it', async () => {
  const webhook = await newTestWebhook(services, merchant)
  const { secret } = await rotateSecret(services, merchant, webhook.id)
  assert.equal(await resealWebhookSecretsInBackground(services), 0)
  await assert.rejects(reseal(current), /Neither VEZNE_SECRET nor/)
  assert.equal(await reseal(current, old), '2 secrets resealed.')
  assert.deepEqual(await opened(webhook, new Keyring(current, undefined)), [secret, webhook.secret])
})

it('a command with another installation secret than the service’s reseals nothing', async () => {
  await recordSealingKey(withSecrets(current))
  await assert.rejects(reseal(old), /differs from that of the service/)
  await recordSealingKey(services)
})

it('a secret that was erased or resealed meanwhile is not overwritten', async () => {
  const webhook = await newTestWebhook(services, merchant)
  const { keyring } = withSecrets(current)
  const [seen] = (await webhookSecretsSealedByOtherKeys(services.sql, 'none', 0)).filter(
    ({ webhookId }) => webhookId === webhook.id,
  )
  assert.ok(seen)
  assert.ok((await resealWebhookSecretsInBackground(withSecrets(current, old))) > 0)
  assert.equal(await replaceSealedSecret(services.sql, seen, seen), false)
  assert.deepEqual(await opened(webhook, keyring), [webhook.secret])
})

it('a secret that cannot be opened does not stop the others, and its webhook is logged', async () => {
  const broken = await newTestWebhook(services, merchant)
  const good = await newTestWebhook(services, merchant)
  await services.sql.run(
    sql`update webhook_secrets set bytes = '\\x00', key_id = 'x' where webhook_id = ${broken.id}`,
  )
  assert.equal(await resealWebhookSecretsInBackground(withSecrets(current, old)), 1)
  assert.ok(api.lines.some((line) => line.includes('cannot be opened') && line.includes(String(broken.id))))
  assert.deepEqual(await opened(good, new Keyring(current, undefined)), [good.secret])
})
