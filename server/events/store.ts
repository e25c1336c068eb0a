import type { Statement } from '../kit/sql.ts'
import { sql } from '../kit/sql.ts'
import type { PaymentEvent } from './event.ts'

/**
 * A part of the statement that moves a payment, whose `moved` has its merchant_id, id and event_count: the event is
 * written if the payment moves, and not if it does not.
 */
export function eventPart({ id, kind, data, at }: PaymentEvent): Statement {
  return sql`insert into events (merchant_id, id, payment_id, number, kind, data, created_at)
    select merchant_id, ${id}::bigint, id, event_count, ${kind}::text, ${JSON.stringify(data)}::jsonb,
      ${at}::timestamptz from moved`
}
