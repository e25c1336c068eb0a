import type { EventKind } from '../../server/events/index.ts'
import type { Merchant } from '../../server/merchants/index.ts'
import type { Services } from '../../server/services.ts'
import { createWebhook } from '../../server/webhooks/manage/create-webhook.ts'
import type { Delivery, DeliveryAttempt } from '../../server/webhooks/records/delivery.ts'
import { webhookAttempts, webhookDeliveries } from '../../server/webhooks/records/delivery.ts'
import type { Webhook } from '../../server/webhooks/records/webhook.ts'
import { webhookHealth } from '../../server/webhooks/records/webhook.ts'
import { assignAllPositions } from './assign-all-positions.ts'
import { seedEvent, seedPayment } from './payment.ts'
import { seed } from './seed.ts'

/** Creates a webhook as the API does, by default for all events. */
export function newTestWebhook(
  services: Services,
  merchant: Merchant,
  input: Partial<Parameters<typeof createWebhook>[2]> = {},
): Promise<Webhook & { secret: string }> {
  return createWebhook(services, merchant, { url: 'https://shop.example/webhooks', ...input })
}

/** Seeds an event in the merchant's list; returns its id. */
export async function seedListedEvent(
  services: Pick<Services, 'sql' | 'ids' | 'clock'>,
  { id: merchantId }: Pick<Merchant, 'id'>,
  kind: EventKind = 'payment.succeeded',
): Promise<number> {
  const { id: paymentId } = await seedPayment(services, { id: merchantId })
  const id = await seedEvent(services, { merchantId, paymentId, kind, at: services.clock.now() })
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
  { attempts = [], ...given }: DeliverySeed = {},
): Promise<number> {
  const [id, now] = [given.id ?? (await ids.next()), clock.now()]
  const times = given.state && given.state !== 'pending' ? { endedAt: now } : { dueAt: now }
  const about = { merchantId, id, webhookId, attemptCount: attempts.length, createdAt: now, ...times }
  await seed(database, webhookDeliveries, { ...about, ...given })
  const rows = attempts.map((attempt, index) => ({
    ...{ merchantId, deliveryId: id, number: index + 1, beganAt: now, ...attempt },
  }))
  await seed(database, webhookAttempts, rows)
  return id
}

/** Sets the health of a webhook. */
export async function seedWebhookHealth(
  { sql: database }: Pick<Services, 'sql'>,
  { merchantId, id: webhookId }: Pick<Webhook, 'merchantId' | 'id'>,
  health: { pausedUntil?: Date; failingSince?: Date },
): Promise<void> {
  const lastFailedAt = health.failingSince ?? null
  await seed(database, webhookHealth, { merchantId, webhookId, ...health, lastFailedAt })
}
