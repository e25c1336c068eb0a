import type { Services } from '../../services.ts'
import {
  deleteDeliveriesEndedBefore,
  failOldPendingOfDisabledWebhooks,
  purgeDeletedWebhooks,
} from './store.ts'

const dayMs = 24 * 3600 * 1000
const atOnce = 1_000

/**
 * Deletes old ended deliveries with their attempts, and deleted webhooks without deliveries. Pending
 * deliveries of the same age to a disabled webhook fail: no receiver expects them as new events.
 */
export async function purgeDeliveries(
  { sql, clock, config }: Services,
  signal?: AbortSignal,
): Promise<number> {
  const now = clock.now()
  const before = new Date(now.getTime() - config.deliveryDays * dayMs)
  const inBatches = async (work: () => Promise<number>) => {
    for (let total = 0; ; ) {
      const count = await work()
      total += count
      if (count < atOnce || signal?.aborted) return total
    }
  }
  const ended = await inBatches(() => failOldPendingOfDisabledWebhooks(sql, before, now, atOnce))
  const deleted = await inBatches(() => deleteDeliveriesEndedBefore(sql, before, atOnce))
  return ended + deleted + (await inBatches(() => purgeDeletedWebhooks(sql, atOnce)))
}
