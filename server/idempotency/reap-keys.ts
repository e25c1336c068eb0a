import type { Services } from '../services.ts'
import { deleteKeysBefore, keptForMs } from './store.ts'

const atOnce = 5_000

/** Deletes the keys that are out of date. Any number of copies may do so at the same time. */
export async function reapKeys({ sql, clock }: Services): Promise<number> {
  const keptSince = new Date(clock.now().getTime() - keptForMs)
  let reaped = 0
  for (;;) {
    const count = await deleteKeysBefore(sql, keptSince, atOnce)
    reaped += count
    if (count < atOnce) return reaped
  }
}
