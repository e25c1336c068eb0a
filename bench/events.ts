import { sql } from '../kit/runtime/sql.ts'
import type { Merchant } from '../server/merchants/index.ts'
import type { Services } from '../server/services.ts'
import { seedEvents } from '../testing/seed/webhook.ts'

/** Data of an event: a payment with every field. */
export const eventData = {
  transaction_id: 10000000000123,
  amount: 18_990,
  currency_code: 'TRY',
  installment_count: 3,
  payment_status: 1,
  payment_status_text: 'success',
  transaction_status: 1,
  transaction_status_text: 'completed',
  transaction_message: 'Onaylandı',
  transaction_code: '00',
  payment_method: 1,
  payment_method_text: 'is_3d',
  pre_auth: false,
  created_at: '2026-11-15T09:30:00+03:00',
  start_at: '2026-11-15T09:30:12+03:00',
  end_at: '2026-11-15T09:31:45+03:00',
  metadata: [
    { key: 'order', value: 'A-1001' },
    { key: 'channel', value: 'web' },
  ],
  formatted_amount: '189,90',
}

/** Inserts the first events of a merchant, already with positions in its list. Returns their ids. */
export async function seedPositionedEvents(
  services: Services,
  merchant: Merchant,
  count: number,
): Promise<number[]> {
  const ids = await seedEvents(services, merchant, count, 'payment.succeeded', eventData)
  await services.sql.run(sql`update event_positions p set position = e.number from events e
    where p.merchant_id = ${merchant.id} and e.merchant_id = p.merchant_id and e.id = p.event_id`)
  await services.sql.run(
    sql`insert into event_lists (merchant_id, last_position) values (${merchant.id}, ${count})`,
  )
  return ids
}
