import type { Merchant } from '../../server/merchants/index.ts'
import type { Services } from '../../server/services.ts'
import { createWebhook } from '../../server/webhooks/manage/create-webhook.ts'
import type { Delivery, DeliveryAttempt } from '../../server/webhooks/records/delivery.ts'
import { webhookAttempts, webhookDeliveries } from '../../server/webhooks/records/delivery.ts'
import type { Webhook } from '../../server/webhooks/records/webhook.ts'
import { webhookHealth } from '../../server/webhooks/records/webhook.ts'
import { assignAllPositions } from './assign-all-positions.ts'
import { insertRows } from './insert-rows.ts'
import { seedEvent, seedPayment } from './payment.ts'

/** Creates a webhook as the API does, by default for all events. */
export async function newTestWebhook(
  services: Services,
  merchant: Merchant,
  input: Partial<Parameters<typeof createWebhook>[2]> = {},
): Promise<Webhook & { secret: string }> {
  const made = await createWebhook(services, merchant, { url: 'https://shop.example/webhooks', ...input })
  return { ...made.webhook, secret: made.secret }
}

/** Seeds an event in the merchant's list; returns its id. */
export async function seedListedEvent(
  services: Pick<Services, 'sql' | 'ids' | 'clock'>,
  { id: merchantId }: Pick<Merchant, 'id'>,
  kind: Parameters<typeof seedEvent>[1]['kind'] = 'payment.succeeded',
): Promise<number> {
  const { id: paymentId } = await seedPayment(services, { id: merchantId })
  const id = await seedEvent(services, { merchantId, paymentId, kind, number: 1, at: services.clock.now() })
  await assignAllPositions(services.sql, { id: merchantId })
  return id
}

export interface DeliverySeed extends Partial<Omit<Delivery, 'merchantId' | 'webhookId' | 'attemptCount'>> {
  attempts?: Partial<DeliveryAttempt>[]
}

/** Seeds a delivery in its state after its attempts, so that tests of reading need no sender. */
export async function seedDelivery(
  { sql: database, ids, clock }: Pick<Services, 'sql' | 'ids' | 'clock'>,
  { merchantId, id: webhookId }: Pick<Webhook, 'merchantId' | 'id'>,
  { attempts = [], ...seed }: DeliverySeed = {},
): Promise<number> {
  const id = seed.id ?? (await ids.next())
  const now = clock.now()
  const { state = 'pending' } = seed
  const [dueAt, endedAt] = state === 'pending' ? [now, null] : [null, now]
  const delivery: Delivery = {
    ...{ merchantId, id, webhookId, eventId: id, kind: 'payment.succeeded', reason: 'event', state },
    ...{ attemptCount: attempts.length, dueAt, createdAt: now, endedAt, ...seed },
  }
  await insertRows(database, webhookDeliveries, [delivery])
  const rows = attempts.map((attempt, index) => ({
    ...{ merchantId, deliveryId: id, number: index + 1, beganAt: now, durationMs: 20, status: 200 },
    ...{ answer: 'ok', ...attempt },
  }))
  await insertRows(database, webhookAttempts, rows)
  return id
}

/** Sets the health of a webhook. */
export async function seedWebhookHealth(
  { sql: database }: Pick<Services, 'sql'>,
  { merchantId, id }: Pick<Webhook, 'merchantId' | 'id'>,
  health: { pausedUntil?: Date; failingSince?: Date },
): Promise<void> {
  const row = { merchantId, webhookId: id, ...health, lastFailedAt: health.failingSince ?? null }
  await insertRows(database, webhookHealth, [row])
}
