import { sql } from '../../kit/runtime/sql.ts'
import type { EventKind } from '../../server/events/index.ts'
import type { Merchant } from '../../server/merchants/index.ts'
import type { Services } from '../../server/services.ts'
import type { Delivery, DeliveryAttempt } from '../../server/webhooks/records/delivery.ts'
import { webhookAttempts, webhookDeliveries } from '../../server/webhooks/records/delivery.ts'
import { newSecret, sealSecret, webhookSecrets } from '../../server/webhooks/records/secrets.ts'
import type { Webhook } from '../../server/webhooks/records/webhook.ts'
import { webhooks } from '../../server/webhooks/records/webhook.ts'
import { seedEventRows, seedPayment } from './payment.ts'
import { seed } from './seed.ts'

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
  await seed(services.sql, webhooks, { merchantId, id, url, createdAt: services.clock.now(), ...more })
  return { id, secret: await seedWebhookSecret(services, { id: merchantId }, id) }
}

/** Seeds a new secret of a webhook; it is the newest one. */
export async function seedWebhookSecret(
  services: SeedServices,
  { id: merchantId }: Pick<Merchant, 'id'>,
  webhookId: number,
): Promise<string> {
  const ids = { merchantId, webhookId, id: await services.ids.next() }
  const secret = newSecret(services.random)
  const sealed = sealSecret(services, ids, secret)
  await seed(services.sql, webhookSecrets, { ...ids, ...sealed, createdAt: services.clock.now() })
  return secret
}

/** Seeds this many events of one payment, with only the data that receivers see. Returns their ids. */
export async function seedEvents(
  services: SeedServices,
  merchant: Merchant,
  count: number,
  kind: EventKind = 'payment.succeeded',
  given?: object,
): Promise<number[]> {
  const { id: paymentId } = await seedPayment(services, merchant)
  const eventIds = await services.ids.nextMany(count)
  const data = given ?? { transaction_id: paymentId }
  const common = { merchantId: merchant.id, paymentId, kind, data, createdAt: services.clock.now() }
  const rows = eventIds.map((id, index) => ({ ...common, id, number: index + 1 }))
  await seedEventRows(services.sql, rows)
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
  const common = { merchantId, webhookId, state, createdAt: services.clock.now() }
  const rows = eventIds.map((eventId, index) => ({ ...common, id: ids[index] ?? 0, eventId }))
  await seed(services.sql, webhookDeliveries, rows)
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
