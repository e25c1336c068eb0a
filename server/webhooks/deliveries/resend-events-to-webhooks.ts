import type { Sql } from '../../../kit/runtime/sql.ts'
import type { Services } from '../../services.ts'
import type { EventToResend } from './store.ts'
import { writeResends } from './store.ts'

/** Deliveries that are due within so long are not hurried: an attempt comes soon, or is under way. */
const soonMs = 30_000

/**
 * Sends events again to webhooks that are locked. Guarantee: what is still on its way to a webhook is not sent there beside
 * itself, it is due now; everything else goes the whole way once more. Answers the ids of the deliveries.
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
