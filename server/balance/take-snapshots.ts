import { nextMerchantWithTransfers, takeSnapshot } from '../ledger/index.ts'
import type { Services } from '../services.ts'

/** Extends the snapshots, merchant by merchant. Several instances can run this at the same time. */
export async function takeSnapshots(
  services: Pick<Services, 'sql' | 'clock'>,
  signal: AbortSignal,
): Promise<number> {
  let added = 0
  let merchantId = await nextMerchantWithTransfers(services.sql, 0)
  while (merchantId !== undefined && !signal.aborted) {
    added += await takeSnapshot(services, merchantId, signal)
    merchantId = await nextMerchantWithTransfers(services.sql, merchantId)
  }
  return added
}
