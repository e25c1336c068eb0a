import { merchantIds } from '../merchants/index.ts'
import { deletePicturesBefore } from '../pictures/index.ts'
import type { Services } from '../services.ts'
import { picturesInUse } from './store.ts'

/** Longer than the life of a payment page, which is at most one day. */
const keptForMs = 2 * 24 * 60 * 60 * 1000

/**
 * Deletes pictures that no logo and no product shows any more. Guarantee: a picture stays for two days after it was
 * replaced or removed, or its product deleted. So a payment page shows the picture until it expires.
 */
export async function deleteUnusedPictures({ sql, clock }: Services, signal: AbortSignal): Promise<number> {
  const before = new Date(clock.now().getTime() - keptForMs)
  let deleted = 0
  for (const merchantId of await merchantIds(sql)) {
    if (signal.aborted) break
    deleted += await deletePicturesBefore(sql, merchantId, before, picturesInUse(merchantId, before))
  }
  return deleted
}
