import { sql } from '../../kit/runtime/sql.ts'
import type { EventKind } from '../../server/events/index.ts'
import type { Merchant } from '../../server/merchants/index.ts'
import type { Services } from '../../server/services.ts'
import type { DeliveryAttempt } from '../../server/webhooks/records/delivery.ts'
import { newSecret, sealSecret } from '../../server/webhooks/records/secrets.ts'
import { seedUnassignedPositions } from './event-positions.ts'
import { seedPayment } from './payment.ts'

export { webhookIdsWithDueDeliveries } from '../../server/webhooks/deliver/store.ts'

type SeedServices = Pick<Services, 'sql' | 'ids' | 'clock' | 'keyring' | 'random'>

/** Seeds the row of a webhook. */
export async function seedWebhook(
  services: SeedServices,
  { id: merchantId }: Pick<Merchant, 'id'>,
  url: string,
  more: { events?: EventKind[]; status?: 'enabled' | 'disabled' } = {},
): Promise<{ id: number; secret: string }> {
  const id = await services.ids.next()
  const now = services.clock.now()
  const { events, status = 'enabled' } = more
  await services.sql.run(sql`insert into webhooks (merchant_id, id, url, events, status, created_at, updated_at)
    values (${merchantId}, ${id}, ${url}, ${events ? JSON.stringify(events) : null}, ${status}, ${now}, ${now})`)
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
  await services.sql.run(sql`insert into webhook_secrets (merchant_id, id, webhook_id, bytes, key_id, created_at)
    values (${merchantId}, ${id}, ${webhookId}, ${sealed.bytes}, ${sealed.keyId}, ${services.clock.now()})`)
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
  const now = services.clock.now()
  await services.sql.run(sql`insert into events (merchant_id, id, payment_id, number, kind, data, created_at)
    select ${merchant.id}, given.id, ${paymentId}, given.number, ${kind},
      ${JSON.stringify(data ?? { transaction_id: paymentId })}::jsonb, ${now}
    from unnest(${eventIds}::bigint[]) with ordinality as given (id, number)`)
  await seedUnassignedPositions(services.sql, merchant.id)
  return eventIds
}

export interface DeliveryRow {
  id: number
  eventId: number
  kind: string
  state: string
  attemptCount: number
  dueAt: Date | null
}

/** Deliveries of a webhook, in the order of their events. */
export function deliveriesOf(services: Pick<Services, 'sql'>, webhookId: number): Promise<DeliveryRow[]> {
  return services.sql.many(sql`select id, event_id as "eventId", kind, state, attempt_count as "attemptCount", due_at as "dueAt"
    from webhook_deliveries where webhook_id = ${webhookId} order by event_id, id`)
}

export function deliveryAttemptsOf(
  services: Pick<Services, 'sql'>,
  deliveryId: number,
): Promise<DeliveryAttempt[]> {
  return services.sql.many(sql`select number, began_at as "beganAt", duration_ms as "durationMs", status, fault, answer,
      next_attempt_at as "nextAttemptAt"
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
