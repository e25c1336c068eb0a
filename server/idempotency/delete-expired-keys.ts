import type { Services } from '../services.ts'
import { deleteKeysBefore, keyLifetimeMs } from './store.ts'

const atOnce = 5_000

/** Deletes expired keys. Several instances can run it at the same time. */
export async function deleteExpiredKeys({ sql, clock }: Services): Promise<number> {
  const expiredBefore = new Date(clock.now().getTime() - keyLifetimeMs)
  let deleted = 0
  for (;;) {
    const count = await deleteKeysBefore(sql, expiredBefore, atOnce)
    deleted += count
    if (count < atOnce) return deleted
  }
}
