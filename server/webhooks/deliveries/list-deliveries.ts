import { listPageResponseDefinition, route } from '../../../kit/api/route.ts'
import { choiceField, idField, optional, queryFiltersSchema } from '../../../kit/input/fields.ts'
import { defaultPerPage, listPageOf, searchFilterFields } from '../../database/search.ts'
import type { Merchant } from '../../merchants/index.ts'
import type { Services } from '../../services.ts'
import { requireMerchantWebhook } from '../manage/read-webhook.ts'
import type { DeliveryWithAttempts } from '../records/delivery.ts'
import { deliveryStates, ShownDelivery, shownDelivery } from '../records/delivery.ts'
import { webhookIdParams } from '../records/webhook.ts'
import { searchDeliveries } from './store.ts'

const ListDeliveries = queryFiltersSchema({
  status: optional(
    choiceField(
      {
        tr: 'Gönderimin durumu: bekleyen, ulaşan veya ulaşmayan.',
        en: 'Status of the delivery: pending, delivered or failed.',
      },
      deliveryStates,
    ),
  ),
  event_id: optional(idField({ tr: 'Olay numarası.', en: 'ID of an event.' })),
  after: searchFilterFields.after,
  per_page: searchFilterFields.per_page,
})

export const listDeliveriesRoute = route({
  method: 'GET',
  url: '/v1/webhooks/:webhook_id/deliveries',
  summary: { tr: 'Gönderimleri listele', en: 'List deliveries of a webhook' },
  description: {
    tr: 'Bir webhook’a yapılan gönderimleri denemeleriyle birlikte en yeniden en eskiye doğru döndürür. Alıcının yanıtlarının ilk 1000 karakteri gösterilir. Bilinmeyen bir filtre 901 ile reddedilir.',
    en: 'Returns the deliveries to a webhook with their attempts, newest first. The first 1000 characters of the receiver’s responses are shown. An unknown filter is rejected with 901.',
  },
  credential: 'secret',
  params: webhookIdParams,
  query: ListDeliveries,
  answer: listPageResponseDefinition(ShownDelivery, { tr: 'Gönderimler.', en: 'Deliveries.' }),
  handle: async ({ sql, searches }: Services, merchant: Merchant, { params, query }) => {
    const ownedId = { merchantId: merchant.id, id: params.webhook_id }
    await requireMerchantWebhook(sql, ownedId)
    const { status: state, event_id: eventId, after, per_page: limit = defaultPerPage } = query
    const search = { ownedId, state, eventId, after, limit }
    const found = await searches.run((own) => searchDeliveries(own, search))
    const { items, ...rest } = listPageOf(found, weightOf)
    return { items: items.map((delivery) => shownDelivery(delivery, merchant)), ...rest }
  },
})

/** Estimated size in JSON: 300 bytes for each attempt and 4 for each character, which can take up to 6. */
function weightOf({ attempts }: DeliveryWithAttempts): number {
  return attempts.reduce((sum, { answer }) => sum + 300 + 4 * answer.length, 500)
}
