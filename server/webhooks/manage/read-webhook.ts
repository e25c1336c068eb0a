import { bareResponseDefinition, route } from '../../../kit/api/route.ts'
import { noSuchResource, Refused } from '../../../kit/input/refusals.ts'
import type { Sql } from '../../../kit/runtime/sql.ts'
import type { OwnedId } from '../../database/owned-id.ts'
import type { Merchant } from '../../merchants/index.ts'
import type { Services } from '../../services.ts'
import { webhookById } from '../records/webhook.sql.ts'
import type { Webhook } from '../records/webhook.ts'
import { ShownWebhook, shownWebhook, webhookIdParams } from '../records/webhook.ts'

export const readWebhookRoute = route({
  method: 'GET',
  url: '/v1/webhooks/:webhook_id',
  summary: { tr: 'Webhook’u getir', en: 'Read webhook' },
  description: {
    tr: 'Bir webhook’u döndürür; imza anahtarı gösterilmez.',
    en: 'Returns a webhook, without its secret.',
  },
  credential: 'secret',
  params: webhookIdParams,
  answer: bareResponseDefinition(ShownWebhook),
  handle: async ({ sql }: Services, merchant: Merchant, { params }) => {
    const webhook = await requireMerchantWebhook(sql, { merchantId: merchant.id, id: params.webhook_id })
    return shownWebhook(webhook, merchant)
  },
})

/** Webhook of a merchant, read or locked; refuses an id that the merchant does not have. */
export async function requireMerchantWebhook(
  database: Sql,
  ownedId: OwnedId,
  read = webhookById,
): Promise<Webhook> {
  const webhook = await read(database, ownedId)
  if (!webhook) throw new Refused(noSuchResource)
  return webhook
}
