import type { Deed, DeedSituation } from '../deeds/deed.ts'
import { newDeed } from '../deeds/deed.ts'
import type { Consequence, Sequel } from '../deeds/settle-deed.ts'
import { settledDifferencesPart } from '../verifications/store.ts'

/**
 * What becomes of a payment whose hold was taken, let go, or not to be taken. Where the bank refuses to take it, the
 * payment has failed, and what is still held is let go in the background: nobody's card stays charged with it.
 */
export const endHold: Sequel = async ({ clock, ids }, _merchant, situation) => {
  const { payment, deed } = situation
  const now = clock.now()
  // A hold over another amount is over.
  const settled: Consequence = deed.state === 'done' ? { also: [settledDifferencesPart] } : {}
  // A release that follows a refused capture finds its payment failed.
  if (payment.state !== 'capturing' && payment.state !== 'releasing') return settled
  if (deed.kind === 'capture' && deed.state === 'done')
    return { ...settled, payment: { ...payment, state: 'paid', endedAt: now, ...saidIn(deed) } }
  const failed: Consequence = {
    ...settled,
    payment: { ...payment, state: 'failed', endedAt: now, ...saidIn(deed) },
  }
  return deed.state === 'refused' ? { ...failed, begins: await release(ids, situation, now) } : failed
}

function saidIn({ kind, code, message }: Deed) {
  // What the bank said of holding or letting go would read as an approval of what has failed.
  return kind === 'capture' ? { code, message } : { code: null, message: null }
}

async function release(
  ids: { next(): Promise<number> },
  { attempt }: DeedSituation,
  now: Date,
): Promise<Deed> {
  const { chargedMinor: amountMinor } = attempt
  const wanted = {
    id: await ids.next(),
    kind: 'release' as const,
    refundId: null,
    amountMinor,
    givenBackMinor: 0,
  }
  return newDeed(attempt, wanted, now)
}
