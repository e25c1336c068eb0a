import type { Services } from '../services.ts'
import { addToSnapshot, snapshotOf } from './snapshot.sql.ts'

/**
 * Age at which a transfer enters the snapshot. By then all earlier transfers are committed: a query is
 * cancelled after seconds, and a query sent long after its clock was read posts after the snapshot's end
 * (`transfersPart`).
 */
const settledAfterMs = 60 * 60 * 1000

/** Transfers that one query sums, so that no query takes long. */
const sliceSize = 10_000

/**
 * Adds old enough transfers to the snapshot of a merchant; returns their number. Guarantee: each transfer is
 * added once, even if several instances run this at the same time or are killed.
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
    // An available amount stays available, even if this instance's clock is behind the last one's.
    const now = new Date(Math.max(nowMs, snapshot.takenAt.getTime()))
    const before = new Date(nowMs - settledAfterMs)
    const added = await addToSnapshot(sql, merchantId, snapshot, { before, now, limit })
    all += added
    if (added < limit || signal.aborted) return all
  }
}
