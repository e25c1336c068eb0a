import { bareResponseDefinition, route } from '../../../kit/api/route.ts'
import type { OwnedId } from '../../database/owned-id.ts'
import type { Merchant } from '../../merchants/index.ts'
import type { Services } from '../../services.ts'
import { newSecret, sealSecret } from '../records/secrets.ts'
import { insertSecretAndRetireOthers, updateWebhook, webhookForUpdate } from '../records/webhook.sql.ts'
import type { Webhook } from '../records/webhook.ts'
import { ShownWebhookWithSecret, shownWebhook, webhookIdParams } from '../records/webhook.ts'
import { requireMerchantWebhook } from './read-webhook.ts'

/** Time for which a replaced secret still signs, and the limit of signing secrets. */
const overlapMs = 24 * 60 * 60 * 1000
const maxAtATime = 5

export const rotateSecretRoute = route({
  method: 'POST',
  url: '/v1/webhooks/:webhook_id/rotate-secret',
  summary: { tr: 'İmza anahtarını yenile', en: 'Rotate webhook secret' },
  description: {
    tr: 'Webhook için yeni bir imza anahtarı oluşturur ve yalnızca bu yanıtta gösterir. Önceki anahtarla da 24 saat daha imzalanır. Aynı anda en fazla beş anahtar geçerlidir; altıncısı oluşturulursa en eskisi daha erken sona erer. `Idempotency-Key` burada etkisizdir.',
    en: 'Creates a new signing secret for the webhook and shows it only in this response. The previous secret also signs for 24 more hours. At most five secrets sign at the same time; if there would be more, the oldest ends earlier. `Idempotency-Key` has no effect here.',
  },
  credential: 'secret',
  idempotent: false,
  params: webhookIdParams,
  answer: bareResponseDefinition(ShownWebhookWithSecret),
  handle: async (services: Services, merchant: Merchant, { params }) => {
    const webhook = await rotateSecret(services, merchant, params.webhook_id)
    return { ...shownWebhook(webhook, merchant), secret: webhook.secret }
  },
})

export function rotateSecret(
  services: Services,
  merchant: Merchant,
  id: number,
): Promise<Webhook & { secret: string }> {
  return services.sql.transaction(async (transaction) => {
    const before = await requireMerchantWebhook(
      transaction,
      { merchantId: merchant.id, id },
      webhookForUpdate,
    )
    const webhook = { ...before, updatedAt: services.clock.now() }
    await updateWebhook(transaction, webhook)
    return { ...webhook, secret: await issueSecret({ ...services, sql: transaction }, webhook) }
  })
}

/** Creates a secret and returns it. Only the sealed secret is stored; it is never shown again. */
export async function issueSecret(
  services: Pick<Services, 'sql' | 'ids' | 'clock' | 'keyring' | 'random'>,
  { merchantId, id: webhookId }: OwnedId,
): Promise<string> {
  const now = services.clock.now()
  const secretId = { merchantId, webhookId, id: await services.ids.next() }
  const secret = newSecret(services.random)
  const sealed = { ...secretId, ...sealSecret(services, secretId, secret) }
  const beforeUntil = new Date(now.getTime() + overlapMs)
  await insertSecretAndRetireOthers(services.sql, sealed, { now, beforeUntil, limit: maxAtATime })
  return secret
}
