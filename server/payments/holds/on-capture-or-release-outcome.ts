import type { OutcomeEffects, OutcomeHandler } from '../modifications/settle-modification.ts'
import type { Modification, ModificationWithPayment } from '../records/modification.ts'
import { newModification } from '../records/modification.ts'
import { markDifferencesSettledPart } from '../records/verification.sql.ts'

/**
 * What becomes of a payment whose hold was taken, let go, or not to be taken. Where the bank refuses to take it, the
 * payment has failed, and what is still held is let go in the background: nobody's card stays charged with it.
 */
export const onCaptureOrReleaseOutcome: OutcomeHandler = async ({ clock, ids }, _merchant, context) => {
  const { payment, modification } = context
  const now = clock.now()
  // A hold over another amount is over.
  const settled: OutcomeEffects =
    modification.state === 'done' ? { extraWrites: [markDifferencesSettledPart] } : {}
  // A release that follows a refused capture finds its payment failed.
  if (payment.state !== 'capturing' && payment.state !== 'releasing') return settled
  if (modification.kind === 'capture' && modification.state === 'done')
    return { ...settled, payment: { ...payment, state: 'paid', endedAt: now, ...answerIn(modification) } }
  const failed: OutcomeEffects = {
    ...settled,
    payment: { ...payment, state: 'failed', endedAt: now, ...answerIn(modification) },
  }
  return modification.state === 'refused'
    ? { ...failed, newModification: await release(ids, context, now) }
    : failed
}

function answerIn({ kind, code, message }: Modification) {
  // What the bank said of holding or letting go would read as an approval of what has failed.
  return kind === 'capture' ? { code, message } : { code: null, message: null }
}

async function release(
  ids: { next(): Promise<number> },
  { attempt }: ModificationWithPayment,
  now: Date,
): Promise<Modification> {
  const { chargedMinor: amountMinor } = attempt
  const draft = {
    id: await ids.next(),
    kind: 'release' as const,
    refundId: null,
    amountMinor,
    priorRefundedMinor: 0,
  }
  return newModification(attempt, draft, now)
}
