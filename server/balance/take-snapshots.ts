import { merchantWithTransfers, takeSnapshot } from '../ledger/index.ts'
import type { Services } from '../services.ts'

/** Adds up what is old enough, merchant by merchant. Any number of copies may do so at the same time. */
export async function takeSnapshots(
  services: Pick<Services, 'sql' | 'clock'>,
  signal: AbortSignal,
): Promise<number> {
  let added = 0
  let merchantId = await merchantWithTransfers(services.sql, 0)
  while (merchantId !== undefined && !signal.aborted) {
    added += await takeSnapshot(services, merchantId, signal)
    merchantId = await merchantWithTransfers(services.sql, merchantId)
  }
  return added
}
