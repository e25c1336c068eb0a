import type { Services } from '../services.ts'
import { addToSnapshot, snapshotOf } from './snapshot.sql.ts'

/**
 * Age at which a transfer is added up. By then everything is there that was posted before it: a query is ended
 * after seconds, and one that was sent only long after its clock was read is posted behind the snapshot (`transfersPart`).
 */
const settledAfterMs = 60 * 60 * 1000

/** Number of transfers that one query adds up: none takes long, however many there are. */
const sliceSize = 10_000

/**
 * Adds to the snapshot of a merchant what is old enough; answers how many transfers that were. Guarantee: each is added
 * once, however many instances do so at the same time, and whenever they are killed.
 */
export async function takeSnapshot(
  { sql, clock }: Pick<Services, 'sql' | 'clock'>,
  merchantId: number,
  signal: AbortSignal,
  limit = sliceSize,
): Promise<number> {
  for (let all = 0; ; ) {
    const snapshot = await snapshotOf(sql, merchantId)
    const nowMs = clock.now().getTime()
    // What was available once stays so, also by a clock that is behind the one of whoever added up before.
    const now = new Date(Math.max(nowMs, snapshot.takenAt.getTime()))
    const before = new Date(nowMs - settledAfterMs)
    const added = await addToSnapshot(sql, merchantId, snapshot, { before, now, limit })
    all += added
    if (added < limit || signal.aborted) return all
  }
}
