import type { Keyring } from '../../../kit/security/keyring.ts'
import type { Random } from '../../../kit/security/random.ts'
import type { SealedValue } from '../../../kit/security/seal.ts'
import { Sealer } from '../../../kit/security/seal.ts'
import type { Services } from '../../services.ts'

/** Secret that signs deliveries, as stored in the database. */
export interface SealedWebhookSecret extends SealedValue {
  merchantId: number
  webhookId: number
  id: number
}

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

export function webhookSecretSealer(keyring: Keyring): Sealer {
  const purpose = 'webhook secrets'
  return new Sealer(keyring.keysFor(purpose), purpose)
}

function ownerOf({ merchantId, webhookId, id }: WebhookSecretId): string {
  return `webhook ${merchantId} ${webhookId} ${id}`
}
