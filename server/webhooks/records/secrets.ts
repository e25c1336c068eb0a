import type { RowOf } from '../../../kit/runtime/table.ts'
import { bigint, bytea, defineMerchantTable, text, timestamptz } from '../../../kit/runtime/table.ts'
import type { Keyring } from '../../../kit/security/keyring.ts'
import type { Random } from '../../../kit/security/random.ts'
import type { SealedValue } from '../../../kit/security/seal.ts'
import { Sealer } from '../../../kit/security/seal.ts'
import type { Services } from '../../services.ts'

export const webhookSecrets = defineMerchantTable('webhook_secrets', {
  merchantId: bigint(),
  id: bigint(),
  webhookId: bigint(),
  bytes: bytea(),
  /** Id of the key that opens the secret. */
  keyId: text(),
  createdAt: timestamptz(),
  /** Null for the newest secret. */
  signsUntil: timestamptz().orNull(),
})

export const sealedWebhookSecrets = webhookSecrets.omit('createdAt', 'signsUntil')

/** Secret that signs deliveries, as stored in the database. */
export type SealedWebhookSecret = RowOf<typeof sealedWebhookSecrets>

const secretBytes = 32

/** Creates a secret in the format of Standard Webhooks. */
export function newSecret(random: Random): string {
  return `whsec_${random.bytes(secretBytes).toString('base64')}`
}

type WebhookSecretId = Omit<SealedWebhookSecret, keyof SealedValue>

export function sealSecret(
  { keyring, random }: Pick<Services, 'keyring' | 'random'>,
  secretId: WebhookSecretId,
  secret: string,
): SealedValue {
  return webhookSecretSealer(keyring).seal(secret, ownerOf(secretId), random)
}

export function openSecret({ keyring }: Pick<Services, 'keyring'>, sealed: SealedWebhookSecret): string {
  return webhookSecretSealer(keyring).open(sealed, ownerOf(sealed))
}

/** Undefined if neither key of the installation opens the secret. */
export function openSecretIfPossible(
  services: Pick<Services, 'keyring'>,
  sealed: SealedWebhookSecret,
): string | undefined {
  try {
    return openSecret(services, sealed)
  } catch {
    return undefined
  }
}

export function webhookSecretSealer(keyring: Keyring): Sealer {
  const purpose = 'webhook secrets'
  return new Sealer(keyring.keysFor(purpose), purpose)
}

function ownerOf({ merchantId, webhookId, id }: WebhookSecretId): string {
  return `webhook ${merchantId} ${webhookId} ${id}`
}
