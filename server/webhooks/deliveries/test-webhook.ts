import { bareResponseDefinition, route } from '../../../kit/api/route.ts'
import { noSuchResource, Refused } from '../../../kit/input/refusals.ts'
import { announceDueNow } from '../../instances/index.ts'
import type { Merchant } from '../../merchants/index.ts'
import type { Services } from '../../services.ts'
import { insertDeliveries } from '../deliver/store.ts'
import { requireMerchantWebhook } from '../manage/read-webhook.ts'
import type { DeliveryWithAttempts } from '../records/delivery.ts'
import { ShownDelivery, shownDelivery, testDeliveryExample, testDeliveryKind } from '../records/delivery.ts'
import { webhookIdParams } from '../records/webhook.ts'
import { deliveryById } from './store.ts'

export const testWebhookRoute = route({
  method: 'POST',
  url: '/v1/webhooks/:webhook_id/test',
  summary: { tr: 'Webhook’u test et', en: 'Test webhook' },
  description: {
    tr: 'Webhook’a `webhook.test` türünde, imzalı bir test gönderir: bir kez, abone olduğu türler ne olursa olsun ve webhook kapalı olsa bile. Gönderimi döndürür; sonucu gönderimin `attempts` alanından öğrenin.',
    en: 'Sends a signed `webhook.test` to the webhook: once, whatever its types, and even if the webhook is disabled. Returns the delivery; learn the result from its `attempts`.',
  },
  credential: 'secret',
  params: webhookIdParams,
  answer: bareResponseDefinition(ShownDelivery, testDeliveryExample),
  handle: async (services: Services, merchant: Merchant, { params }) =>
    shownDelivery(await queueTestDelivery(services, merchant, params.webhook_id), merchant),
})

export async function queueTestDelivery(
  services: Pick<Services, 'sql' | 'ids' | 'clock' | 'processState'>,
  merchant: Merchant,
  webhookId: number,
): Promise<DeliveryWithAttempts> {
  // One transaction, so that the delivery is returned before its attempt.
  const { sql, ids, clock } = services
  const queued = await sql.transaction(async (transaction) => {
    const ownedId = { merchantId: merchant.id, id: webhookId }
    await requireMerchantWebhook(transaction, ownedId)
    const id = await ids.next()
    const test = { id, webhookId, eventId: id, kind: testDeliveryKind } as const
    await insertDeliveries(transaction, merchant.id, 'test', [test], clock.now())
    const delivery = await deliveryById(transaction, ownedId, id)
    if (!delivery) throw new Refused(noSuchResource)
    return delivery
  })
  announceDueNow(services)
  return queued
}
