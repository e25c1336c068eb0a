import { merchantIds } from '../merchants/index.ts'
import { deletePicturesBefore } from '../pictures/index.ts'
import type { Services } from '../services.ts'
import { picturesInUse } from './store.ts'

/** Longer than the life of a payment page, and than a request that stores a picture and then refers to it. */
const keptForMs = 2 * 24 * 60 * 60 * 1000

/**
 * Deletes pictures that no logo and no product shows any more. A payment page that still names one shows a letter.
 */
export async function deleteUnusedPictures({ sql, clock }: Services, signal: AbortSignal): Promise<number> {
  const before = new Date(clock.now().getTime() - keptForMs)
  let deleted = 0
  for (const merchantId of await merchantIds(sql)) {
    if (signal.aborted) break
    deleted += await deletePicturesBefore(sql, merchantId, before, picturesInUse(merchantId))
  }
  return deleted
}
