import { bareResponseDefinition, route } from '../../../kit/api/route.ts'
import { noSuchResource, Refused } from '../../../kit/input/refusals.ts'
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
  handle: async (services: Services, merchant: Merchant, { params }) =>
    shownWebhook(await requireMerchantWebhook(services, merchant, params.webhook_id), merchant),
})

export async function requireMerchantWebhook(
  { sql }: Pick<Services, 'sql'>,
  merchant: Merchant,
  id: number,
): Promise<Webhook> {
  const webhook = await webhookById(sql, { merchantId: merchant.id, id })
  if (!webhook) throw new Refused(noSuchResource)
  return webhook
}
