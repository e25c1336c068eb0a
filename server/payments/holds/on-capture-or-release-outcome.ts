import type { DecisionEffects } from '../bank-calls/bank-work.ts'
import type { OutcomeHandler } from '../modifications/modification-work.ts'
import type { Modification } from '../records/modification.ts'
import { newModification } from '../records/modification.ts'
import { markDifferencesSettledPart } from '../records/verification.sql.ts'

/**
 * Effects on a payment when its capture or release ends. If the bank refuses a capture, the payment fails and
 * the hold is released in the background, so that the payer's card is not left blocked.
 */
export const onCaptureOrReleaseOutcome: OutcomeHandler = async ({ clock, ids }, _merchant, context) => {
  const { payment, attempt, modification } = context
  const now = clock.now()
  // A completed capture or release settles a difference of the hold.
  const settled: DecisionEffects =
    modification.state === 'done' ? { extraWrites: [markDifferencesSettledPart(payment)] } : {}
  // A release after a refused capture finds its payment already failed.
  if (payment.state !== 'capturing' && payment.state !== 'releasing') return settled
  if (modification.kind === 'capture' && modification.state === 'done')
    return { ...settled, payment: { ...payment, state: 'paid', endedAt: now, ...answerIn(modification) } }
  const failed: DecisionEffects = {
    ...settled,
    payment: { ...payment, state: 'failed', endedAt: now, ...answerIn(modification) },
  }
  return modification.state === 'refused'
    ? { ...failed, newModification: newModification(attempt, { id: await ids.next(), kind: 'release' }, now) }
    : failed
}

function answerIn({ kind, code, message }: Modification) {
  // The answer to a hold or a release would read as an approval of a failed payment.
  return kind === 'capture' ? { code, message } : { code: null, message: null }
}
