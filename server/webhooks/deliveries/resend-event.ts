import { bareResponseDefinition, route } from '../../../kit/api/route.ts'
import { idField, objectSchema, optional, schemaDescriptionOptions } from '../../../kit/input/fields.ts'
import { invalidParameter } from '../../../kit/input/refusals.ts'
import { Type } from '../../../kit/input/schema.ts'
import type { Sql } from '../../../kit/runtime/sql.ts'
import type { LocalizedText } from '../../../kit/text/locale.ts'
import type { EventKind } from '../../events/index.ts'
import { eventIdParams as eventIdField, requireEvent } from '../../events/index.ts'
import type { Merchant } from '../../merchants/index.ts'
import type { Services } from '../../services.ts'
import type { DeliveryWithAttempts, WebhookHealth } from '../records/delivery.ts'
import { resentDeliveryExample, ShownDelivery, shownDelivery } from '../records/delivery.ts'
import { enabledWebhooksForUpdate, webhookForUpdate } from '../records/webhook.sql.ts'
import type { Webhook } from '../records/webhook.ts'
import { isSubscribed, noSuchWebhookComplaint } from '../records/webhook.ts'
import { resendEventsToWebhooks } from './resend-events-to-webhooks.ts'
import { deliveriesWithIds } from './store.ts'

export const resendEventRoute = route({
  method: 'POST',
  url: '/v1/events/:event_id/resend',
  summary: { tr: 'Olayı yeniden gönder', en: 'Resend event' },
  description: {
    tr: 'Bir olayı, türüne abone olan açık webhook’lara yeniden gönderir. `webhook_id` gönderilirse, abone olduğu türler ne olursa olsun, yalnızca o webhook’a gönderir. Bekleyen bir gönderim varsa yenisi oluşturulmaz; bekleyen gönderim hemen denenir ve bu, on denemesinden biri sayılır. Gönderimleri döndürür; abone olan webhook yoksa liste boştur.',
    en: 'Sends an event again to the enabled webhooks that are subscribed to its type. With `webhook_id`, it is sent only to that webhook, whatever its types. If a delivery is still pending, no new one is created; the pending delivery is attempted immediately, which counts as one of its ten attempts. Returns the deliveries; the list is empty if no webhook is subscribed.',
  },
  credential: 'secret',
  params: eventIdField,
  body: objectSchema({
    webhook_id: optional(
      idField({
        tr: 'Gönderilirse olay yalnızca bu webhook’a iletilir.',
        en: 'If sent, the event goes only to this webhook.',
      }),
    ),
  }),
  answer: bareResponseDefinition(
    Type.Array(
      ShownDelivery,
      schemaDescriptionOptions({
        tr: 'Webhook’lara yapılan gönderimler.',
        en: 'Deliveries, one for each webhook.',
      }),
    ),
    resentDeliveryExample,
  ),
  handle: async (services: Services, merchant: Merchant, { params, body }) => {
    const sent = await resendEvent(services, merchant, params.event_id, body.webhook_id)
    return sent.map((delivery) => shownDelivery(delivery, delivery, merchant))
  },
})

export function resendEvent(
  { sql, ids, clock }: Pick<Services, 'sql' | 'ids' | 'clock'>,
  merchant: Pick<Merchant, 'id'>,
  eventId: number,
  webhookId: number | undefined,
): Promise<(DeliveryWithAttempts & WebhookHealth)[]> {
  const merchantId = merchant.id
  return sql.transaction(async (transaction) => {
    const { kind } = await requireEvent({ sql: transaction }, merchant, eventId)
    const webhooks =
      webhookId === undefined
        ? await subscribersOf(transaction, merchantId, kind)
        : [await theEnabled(transaction, merchantId, webhookId)]
    const deliveryIds = await ids.nextMany(webhooks.length)
    const resends = webhooks.map(({ id }, index) => ({
      id: deliveryIds[index] ?? 0,
      webhookId: id,
      eventId,
      kind,
    }))
    const made = await resendEventsToWebhooks({ sql: transaction, clock }, merchantId, resends)
    return deliveriesWithIds(transaction, merchantId, made)
  })
}

async function subscribersOf(transaction: Sql, merchantId: number, kind: EventKind): Promise<Webhook[]> {
  const enabled = await enabledWebhooksForUpdate(transaction, merchantId)
  return enabled.filter((webhook) => isSubscribed(webhook, kind))
}

async function theEnabled(transaction: Sql, merchantId: number, id: number): Promise<Webhook> {
  const webhook = await webhookForUpdate(transaction, { merchantId, id })
  if (!webhook) throw invalidParameter('webhook_id', noSuchWebhookComplaint)
  if (webhook.status === 'disabled') throw invalidParameter('webhook_id', isDisabled)
  return webhook
}

const isDisabled: LocalizedText = {
  tr: 'Bu webhook kapalı. Önce webhook’u açın.',
  en: 'This webhook is disabled. Enable it first.',
}
