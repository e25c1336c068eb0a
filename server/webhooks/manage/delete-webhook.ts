import { envelopeResponseDefinition, nullResultSchema, route } from '../../../kit/api/route.ts'
import { noSuchResource, Refused } from '../../../kit/input/refusals.ts'
import type { Merchant } from '../../merchants/index.ts'
import type { Services } from '../../services.ts'
import { softDeleteWebhook } from '../records/webhook.sql.ts'
import { webhookIdParams } from '../records/webhook.ts'

export const deleteWebhookRoute = route({
  method: 'DELETE',
  url: '/v1/webhooks/:webhook_id',
  summary: { tr: 'Webhook’u sil', en: 'Delete webhook' },
  description: {
    tr: 'Webhook’u siler: bekleyenler dahil hiçbir gönderim yapılmaz ve imza anahtarları silinir. Olaylar olay listesinde kalır.',
    en: 'Deletes the webhook: nothing more is sent to it, including pending deliveries, and its secrets are erased. Events stay in the list of events.',
  },
  credential: 'secret',
  params: webhookIdParams,
  answer: envelopeResponseDefinition(nullResultSchema, {
    tr: 'Webhook silindi.',
    en: 'The webhook was deleted.',
  }),
  handle: async ({ sql, clock }: Services, merchant: Merchant, { params }) => {
    const ownedId = { merchantId: merchant.id, id: params.webhook_id }
    const isDeleted = await sql.transaction((transaction) =>
      softDeleteWebhook(transaction, ownedId, clock.now()),
    )
    if (!isDeleted) throw new Refused(noSuchResource)
    return null
  },
})
