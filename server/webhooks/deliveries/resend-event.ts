import { shownListSchema } from '../../../kit/api/resource.ts'
import { bareResponseDefinition, route } from '../../../kit/api/route.ts'
import { idField, objectSchema, optional } from '../../../kit/input/fields.ts'
import { invalidParameter } from '../../../kit/input/refusals.ts'
import type { Sql } from '../../../kit/runtime/sql.ts'
import type { EventKind } from '../../events/index.ts'
import { eventIdParams as eventIdField, requireEvent } from '../../events/index.ts'
import { announceDueNow } from '../../instances/index.ts'
import type { Merchant } from '../../merchants/index.ts'
import type { Services } from '../../services.ts'
import type { DeliveryWithAttempts } from '../records/delivery.ts'
import { resentDeliveryExample, ShownDelivery, shownDelivery } from '../records/delivery.ts'
import { enabledWebhooksForUpdate, webhookForUpdate } from '../records/webhook.sql.ts'
import type { Webhook } from '../records/webhook.ts'
import { isSubscribed, noSuchWebhookComplaint } from '../records/webhook.ts'
import type { EventToResend } from './store.ts'
import { deliveriesWithIds, writeResends } from './store.ts'

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
    shownListSchema(
      { tr: 'Webhook’lara yapılan gönderimler.', en: 'Deliveries, one for each webhook.' },
      ShownDelivery,
    ),
    resentDeliveryExample,
  ),
  handle: async (services: Services, merchant: Merchant, { params, body }) => {
    const sent = await resendEvent(services, merchant, params.event_id, body.webhook_id)
    return sent.map((delivery) => shownDelivery(delivery, merchant))
  },
})

export async function resendEvent(
  services: Pick<Services, 'sql' | 'ids' | 'clock' | 'processState'>,
  merchant: Pick<Merchant, 'id'>,
  eventId: number,
  webhookId: number | undefined,
): Promise<DeliveryWithAttempts[]> {
  const { sql, ids, clock } = services
  const resent = await sql.transaction(async (transaction) => {
    const { kind } = await requireEvent({ sql: transaction }, merchant, eventId)
    const webhooks =
      webhookId === undefined
        ? await subscribersOf(transaction, merchant.id, kind)
        : [await theEnabled(transaction, merchant.id, webhookId)]
    const resends = webhooks.map(({ id }) => ({ webhookId: id, eventId, kind }))
    const made = await resendEventsToWebhooks({ sql: transaction, ids, clock }, merchant.id, resends)
    return deliveriesWithIds(transaction, merchant.id, made)
  })
  announceDueNow(services)
  return resent
}

/** Deliveries due within this time keep their due time: an attempt comes soon or is under way. */
const soonMs = 30_000

/**
 * Resends events to locked webhooks. Guarantee: a pending delivery gets no second one but becomes due now;
 * any other event gets a new delivery with all its attempts. Returns the ids of the deliveries.
 */
export async function resendEventsToWebhooks(
  { sql, ids, clock }: Pick<Services, 'ids' | 'clock'> & { sql: Sql },
  merchantId: number,
  events: readonly Omit<EventToResend, 'id'>[],
): Promise<number[]> {
  const resends = await Promise.all(events.map(async (event) => ({ ...event, id: await ids.next() })))
  const now = clock.now()
  return writeResends(sql, merchantId, resends, { now, soon: new Date(now.getTime() + soonMs) })
}

async function subscribersOf(transaction: Sql, merchantId: number, kind: EventKind): Promise<Webhook[]> {
  const enabled = await enabledWebhooksForUpdate(transaction, merchantId)
  return enabled.filter((webhook) => isSubscribed(webhook, kind))
}

async function theEnabled(transaction: Sql, merchantId: number, id: number): Promise<Webhook> {
  const webhook = await webhookForUpdate(transaction, { merchantId, id })
  if (!webhook) throw invalidParameter('webhook_id', noSuchWebhookComplaint)
  if (webhook.status === 'enabled') return webhook
  throw invalidParameter('webhook_id', {
    tr: 'Bu webhook kapalı. Önce webhook’u açın.',
    en: 'This webhook is disabled. Enable it first.',
  })
}
