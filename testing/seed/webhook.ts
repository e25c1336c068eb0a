import { sql } from '../../kit/runtime/sql.ts'
import type { EventKind } from '../../server/events/index.ts'
import { events as eventTable } from '../../server/events/index.ts'
import type { Merchant } from '../../server/merchants/index.ts'
import type { Services } from '../../server/services.ts'
import type { Delivery, DeliveryAttempt } from '../../server/webhooks/records/delivery.ts'
import { webhookAttempts, webhookDeliveries } from '../../server/webhooks/records/delivery.ts'
import { newSecret, sealSecret, webhookSecrets } from '../../server/webhooks/records/secrets.ts'
import type { Webhook } from '../../server/webhooks/records/webhook.ts'
import { webhooks } from '../../server/webhooks/records/webhook.ts'
import { seedUnassignedPositions } from './event-positions.ts'
import { insertRows } from './insert-rows.ts'
import { seedPayment } from './payment.ts'

export { webhookIdsWithDueDeliveries } from '../../server/webhooks/deliver/store.ts'

type SeedServices = Pick<Services, 'sql' | 'ids' | 'clock' | 'keyring' | 'random'>

/** Seeds the row of a webhook. */
export async function seedWebhook(
  services: SeedServices,
  { id: merchantId }: Pick<Merchant, 'id'>,
  url: string,
  more: Partial<Pick<Webhook, 'events' | 'status'>> = {},
): Promise<{ id: number; secret: string }> {
  const id = await services.ids.next()
  const now = services.clock.now()
  const row = { merchantId, id, url, status: 'enabled', createdAt: now, updatedAt: now, ...more } as const
  await insertRows(services.sql, webhooks, [row])
  return { id, secret: await seedWebhookSecret(services, { id: merchantId }, id) }
}

/** Seeds a new secret of a webhook; it is the newest one. */
export async function seedWebhookSecret(
  services: SeedServices,
  { id: merchantId }: Pick<Merchant, 'id'>,
  webhookId: number,
): Promise<string> {
  const id = await services.ids.next()
  const secret = newSecret(services.random)
  const sealed = sealSecret(services, { merchantId, webhookId, id }, secret)
  const row = { merchantId, id, webhookId, ...sealed, createdAt: services.clock.now() }
  await insertRows(services.sql, webhookSecrets, [row])
  return secret
}

/** Seeds this many events of one payment, with only the data that receivers see. Returns their ids. */
export async function seedEvents(
  services: SeedServices,
  merchant: Merchant,
  count: number,
  kind: EventKind = 'payment.succeeded',
  data?: object,
): Promise<number[]> {
  const { id: paymentId } = await seedPayment(services, merchant, { state: 'open' })
  const eventIds = await services.ids.nextMany(count)
  const common = eventTable.omit('id', 'number')
  const row = { merchantId: merchant.id, paymentId, kind, createdAt: services.clock.now() }
  await services.sql.run(sql`insert into events (id, number, ${common.names})
    select given.id, given.number, ${common.values({ ...row, data: data ?? { transaction_id: paymentId } })}
    from unnest(${eventIds}::bigint[]) with ordinality as given (id, number)`)
  await seedUnassignedPositions(services.sql, merchant.id)
  return eventIds
}

/** Seeds a delivery of each event, pending and due now, or delivered. Returns their ids. */
export async function seedDeliveries(
  services: Pick<Services, 'sql' | 'ids' | 'clock'>,
  { id: merchantId }: Pick<Merchant, 'id'>,
  webhookId: number,
  eventIds: readonly number[],
  state: 'delivered' | 'pending' = 'pending',
): Promise<number[]> {
  const ids = await services.ids.nextMany(eventIds.length)
  const now = services.clock.now()
  const [dueAt, endedAt] = state === 'pending' ? [now, null] : [null, now]
  const common = webhookDeliveries.omit('id', 'eventId')
  const values = common.values({
    ...{ merchantId, webhookId, kind: 'payment.succeeded', reason: 'event', state },
    ...{ attemptCount: 0, dueAt, createdAt: now, endedAt },
  })
  await services.sql.run(sql`insert into webhook_deliveries (id, event_id, ${common.names})
    select given.id, given.event_id, ${values}
    from unnest(${ids}::bigint[], ${eventIds}::bigint[]) as given (id, event_id)`)
  return ids
}

/** Deliveries of a webhook, in the order of their events. */
export function deliveriesOf(services: Pick<Services, 'sql'>, webhookId: number): Promise<Delivery[]> {
  return services.sql.many(sql`select ${webhookDeliveries.columns()}
    from webhook_deliveries where webhook_id = ${webhookId} order by event_id, id`)
}

export function deliveryAttemptsOf(
  services: Pick<Services, 'sql'>,
  deliveryId: number,
): Promise<DeliveryAttempt[]> {
  return services.sql.many(sql`select ${webhookAttempts.omit('merchantId', 'deliveryId').columns()}
    from webhook_attempts where delivery_id = ${deliveryId} order by number`)
}

export async function webhookStatus(
  services: Pick<Services, 'sql'>,
  webhookId: number,
): Promise<{ status: string; because: string | null }> {
  return services.sql.one(
    sql`select status, disabled_because as because from webhooks where id = ${webhookId}`,
  )
}
