import type { Services } from '../services.ts'
import { deleteTracesBefore } from './store.ts'

const atOnce = 5_000
const dayMs = 24 * 60 * 60 * 1000

/** Deletes traces after their retention period. Several instances can run it at the same time. */
export async function deleteOldTraces({ sql, clock, config }: Services): Promise<number> {
  const before = new Date(clock.now().getTime() - config.traceDays * dayMs)
  let deleted = 0
  for (;;) {
    const count = await deleteTracesBefore(sql, before, atOnce)
    deleted += count
    if (count < atOnce) return deleted
  }
}
