import type { Sql } from '../../../kit/runtime/sql.ts'
import type { Services } from '../../services.ts'
import type { EventToResend } from './store.ts'
import { writeResends } from './store.ts'

/** Deliveries due within this time keep their due time: an attempt comes soon or is under way. */
const soonMs = 30_000

/**
 * Resends events to locked webhooks. Guarantee: a pending delivery gets no second one but becomes due now;
 * any other event gets a new delivery with all its attempts. Returns the ids of the deliveries.
 */
export function resendEventsToWebhooks(
  { sql, clock }: { sql: Sql } & Pick<Services, 'clock'>,
  merchantId: number,
  resends: readonly EventToResend[],
): Promise<number[]> {
  const now = clock.now()
  const soon = new Date(now.getTime() + soonMs)
  return writeResends(sql, merchantId, resends, { now, soon })
}
