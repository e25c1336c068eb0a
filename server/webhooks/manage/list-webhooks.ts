import { shownListSchema } from '../../../kit/api/resource.ts'
import { bareResponseDefinition, route } from '../../../kit/api/route.ts'
import type { Merchant } from '../../merchants/index.ts'
import type { Services } from '../../services.ts'
import { webhooksOfMerchant } from '../records/webhook.sql.ts'
import { ShownWebhook, shownWebhook } from '../records/webhook.ts'

export const listWebhooksRoute = route({
  method: 'GET',
  url: '/v1/webhooks',
  summary: { tr: 'Webhook’ları listele', en: 'List webhooks' },
  description: {
    tr: 'Bütün webhook’ları en yeniden en eskiye doğru döndürür.',
    en: 'Returns all webhooks, newest first.',
  },
  credential: 'secret',
  answer: bareResponseDefinition(shownListSchema({ tr: 'Webhook’lar.', en: 'Webhooks.' }, ShownWebhook)),
  handle: async ({ sql }: Services, merchant: Merchant) => {
    const webhooks = await webhooksOfMerchant(sql, merchant.id)
    return webhooks.map((webhook) => shownWebhook(webhook, merchant))
  },
})
