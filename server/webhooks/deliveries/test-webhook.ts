import { bareResponseDefinition, route } from '../../../kit/api/route.ts'
import { noSuchResource, Refused } from '../../../kit/input/refusals.ts'
import type { Merchant } from '../../merchants/index.ts'
import type { Services } from '../../services.ts'
import type { DeliveryWithAttempts, WebhookHealth } from '../records/delivery.ts'
import { ShownDelivery, shownDelivery, testDeliveryExample, testDeliveryKind } from '../records/delivery.ts'
import { webhookIdParams } from '../records/webhook.ts'
import { insertTestDelivery, webhookHealthOf } from './store.ts'

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
  handle: async (services: Services, merchant: Merchant, { params }) => {
    const { delivery, health } = await queueTestDelivery(services, merchant, params.webhook_id)
    return shownDelivery(delivery, health, merchant)
  },
})

export async function queueTestDelivery(
  { sql, ids, clock }: Pick<Services, 'sql' | 'ids' | 'clock'>,
  merchant: Merchant,
  webhookId: number,
): Promise<{ delivery: DeliveryWithAttempts; health: WebhookHealth }> {
  const health = await webhookHealthOf(sql, { merchantId: merchant.id, id: webhookId })
  if (!health) throw new Refused(noSuchResource)
  const id = await ids.next()
  const now = clock.now()
  const delivery: DeliveryWithAttempts = {
    merchantId: merchant.id,
    id,
    webhookId,
    eventId: id,
    kind: testDeliveryKind,
    reason: 'test',
    state: 'pending',
    attemptCount: 0,
    dueAt: now,
    createdAt: now,
    endedAt: null,
    attempts: [],
  }
  await insertTestDelivery(sql, delivery)
  return { delivery, health }
}
