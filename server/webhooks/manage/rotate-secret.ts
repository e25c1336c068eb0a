import { bareResponseDefinition, route } from '../../../kit/api/route.ts'
import { noSuchResource, Refused } from '../../../kit/input/refusals.ts'
import type { OwnedId } from '../../database/owned-id.ts'
import type { Merchant } from '../../merchants/index.ts'
import type { Services } from '../../services.ts'
import { newSecret, sealSecret } from '../records/secrets.ts'
import { insertSecretAndRetireOthers, updateWebhook, webhookForUpdate } from '../records/webhook.sql.ts'
import type { Webhook } from '../records/webhook.ts'
import { ShownWebhookWithSecret, shownWebhookWithSecret, webhookIdParams } from '../records/webhook.ts'

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
  handle: async (services: Services, merchant: Merchant, { params }) =>
    shownWebhookWithSecret(await rotateSecret(services, merchant, params.webhook_id), merchant),
})

export function rotateSecret(
  services: Services,
  merchant: Merchant,
  id: number,
): Promise<{ webhook: Webhook; secret: string }> {
  return services.sql.transaction(async (transaction) => {
    const before = await webhookForUpdate(transaction, { merchantId: merchant.id, id })
    if (!before) throw new Refused(noSuchResource)
    const webhook = { ...before, updatedAt: services.clock.now() }
    await updateWebhook(transaction, webhook)
    return { webhook, secret: await issueSecret({ ...services, sql: transaction }, webhook) }
  })
}

/**
 * Creates a secret for a webhook and returns it. Only the sealed secret is stored; it is never shown again.
 */
export async function issueSecret(
  services: Pick<Services, 'sql' | 'ids' | 'clock' | 'keyring' | 'random'>,
  { merchantId, id: webhookId }: OwnedId,
): Promise<string> {
  const { sql, ids, clock, random } = services
  const now = clock.now()
  const secretId = { merchantId, webhookId, id: await ids.next() }
  const secret = newSecret(random)
  const beforeUntil = new Date(now.getTime() + overlapMs)
  await insertSecretAndRetireOthers(
    sql,
    { ...secretId, ...sealSecret(services, secretId, secret) },
    { now, beforeUntil, limit: maxAtATime },
  )
  return secret
}
