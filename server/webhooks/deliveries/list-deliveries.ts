import type { Static } from 'typebox'
import type { ListPage } from '../../../kit/api/route.ts'
import { listPageResponseDefinition, route } from '../../../kit/api/route.ts'
import { choiceField, idField, optional, queryFiltersSchema } from '../../../kit/input/fields.ts'
import { noSuchResource, Refused } from '../../../kit/input/refusals.ts'
import { listPageOf, searchFilterFields } from '../../database/search.ts'
import type { Merchant } from '../../merchants/index.ts'
import type { Services } from '../../services.ts'
import type { DeliveryWithAttempts, WebhookHealth } from '../records/delivery.ts'
import { deliveryStates, ShownDelivery, shownDelivery } from '../records/delivery.ts'
import { webhookIdParams } from '../records/webhook.ts'
import { searchDeliveries, webhookHealthOf } from './store.ts'

const { after, per_page } = searchFilterFields

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
  after,
  per_page,
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
  handle: async (services: Services, merchant: Merchant, { params, query }) => {
    const { health, items, ...rest } = await listDeliveries(services, merchant, params.webhook_id, query)
    return { items: items.map((delivery) => shownDelivery(delivery, health, merchant)), ...rest }
  },
})

export async function listDeliveries(
  { sql, searches }: Pick<Services, 'sql' | 'searches'>,
  merchant: Merchant,
  id: number,
  { status, event_id, after: cursor, per_page: perPage = 20 }: Static<typeof ListDeliveries>,
): Promise<ListPage<DeliveryWithAttempts> & { health: WebhookHealth }> {
  const ownedId = { merchantId: merchant.id, id }
  const health = await webhookHealthOf(sql, ownedId)
  if (!health) throw new Refused(noSuchResource)
  const search = { ownedId, state: status, eventId: event_id, after: cursor, limit: perPage }
  return { health, ...listPageOf(await searches.run((own) => searchDeliveries(own, search)), weightOf) }
}

/**
 * Estimated size in JSON: 300 bytes for each attempt and 4 for each character of a response, which can take
 * up to 6.
 */
function weightOf({ attempts }: DeliveryWithAttempts): number {
  return attempts.reduce((sum, { answer }) => sum + 300 + 4 * answer.length, 500)
}
