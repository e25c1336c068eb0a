import { sql } from '../../kit/runtime/sql.ts'
import type { Merchant } from '../../server/merchants/index.ts'
import type { Services } from '../../server/services.ts'
import { createWebhook } from '../../server/webhooks/manage/create-webhook.ts'
import type { Delivery, DeliveryAttempt } from '../../server/webhooks/records/delivery.ts'
import type { Webhook } from '../../server/webhooks/records/webhook.ts'
import { assignAllPositions } from './assign-all-positions.ts'
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
  seed: DeliverySeed = {},
): Promise<number> {
  const id = seed.id ?? (await ids.next())
  const now = clock.now()
  const {
    eventId = id,
    kind = 'payment.succeeded',
    reason = 'event',
    state = 'pending',
    attempts = [],
  } = seed
  const { createdAt = now, dueAt = state === 'pending' ? now : null } = seed
  const { endedAt = state === 'pending' ? null : now } = seed
  await database.run(sql`insert into webhook_deliveries (merchant_id, id, webhook_id, event_id, kind, reason, state, attempt_count,
      due_at, created_at, ended_at)
    values (${merchantId}, ${id}, ${webhookId}, ${eventId}, ${kind}, ${reason}, ${state}, ${attempts.length}, ${dueAt},
      ${createdAt}, ${endedAt})`)
  for (const [index, attempt] of attempts.entries()) {
    const {
      beganAt = now,
      durationMs = 20,
      status = 200,
      fault = null,
      answer = 'ok',
      nextAttemptAt = null,
    } = attempt
    await database.run(sql`insert into webhook_attempts (merchant_id, delivery_id, number, began_at, duration_ms, status, fault,
        answer, next_attempt_at)
      values (${merchantId}, ${id}, ${index + 1}, ${beganAt}, ${durationMs}, ${status}, ${fault}, ${answer},
        ${nextAttemptAt})`)
  }
  return id
}

/** Sets the health of a webhook. */
export async function seedWebhookHealth(
  { sql: database }: Pick<Services, 'sql'>,
  { merchantId, id }: Pick<Webhook, 'merchantId' | 'id'>,
  health: { pausedUntil?: Date; failingSince?: Date },
): Promise<void> {
  const { pausedUntil = null, failingSince = null } = health
  await database.run(sql`insert into webhook_health (merchant_id, webhook_id, paused_until, failing_since, last_failed_at)
    values (${merchantId}, ${id}, ${pausedUntil}, ${failingSince}, ${failingSince})`)
}
