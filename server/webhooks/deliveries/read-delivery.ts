import { bareResponseDefinition, route } from '../../../kit/api/route.ts'
import { idField, objectSchema } from '../../../kit/input/fields.ts'
import { noSuchResource, Refused } from '../../../kit/input/refusals.ts'
import type { Merchant } from '../../merchants/index.ts'
import type { Services } from '../../services.ts'
import { ShownDelivery, shownDelivery } from '../records/delivery.ts'
import { webhookIdParams } from '../records/webhook.ts'
import { deliveryById } from './store.ts'

export const readDeliveryRoute = route({
  method: 'GET',
  url: '/v1/webhooks/:webhook_id/deliveries/:delivery_id',
  summary: { tr: 'Gönderimi getir', en: 'Read delivery' },
  description: {
    tr: 'Bir gönderimi denemeleriyle birlikte döndürür. Alıcının yanıtlarından saklanan kısım, ilk 20 kB, tümüyle gösterilir.',
    en: 'Returns a delivery with its attempts. The stored part of the receiver’s responses, the first 20 kB, is shown in full.',
  },
  credential: 'secret',
  params: objectSchema({
    ...webhookIdParams.properties,
    delivery_id: idField({ tr: 'Gönderim numarası.', en: 'ID of the delivery.' }),
  }),
  answer: bareResponseDefinition(ShownDelivery),
  handle: async ({ sql }: Services, merchant: Merchant, { params }) => {
    const ownedId = { merchantId: merchant.id, id: params.webhook_id }
    const delivery = await deliveryById(sql, ownedId, params.delivery_id)
    if (!delivery) throw new Refused(noSuchResource)
    return shownDelivery(delivery, merchant)
  },
})
