import { invalidParameter } from '../../../kit/input/refusals.ts'
import type { Services } from '../../services.ts'
import type { ManualDecision } from '../bank-calls/settle-manually.ts'
import { settleInReview } from '../bank-calls/settle-manually.ts'
import type { AttemptWithPayment } from '../records/attempt.ts'
import { attemptWork } from './attempt-work.ts'
import { afterManualAttemptSettlement } from './decide.ts'

/**
 * Settles an attempt in manual review. Guarantee: an attempt is settled as taken only while its payment waits
 * for it; otherwise the payment could be paid twice.
 */
export function settleAttemptManually(
  services: Services,
  manual: { id: number; outcome: 'taken' | 'not_taken' } & ManualDecision,
): Promise<AttemptWithPayment> {
  const { clock, config } = services
  const { outcome } = manual
  return settleInReview(services, attemptWork, manual, (state) => {
    const decision = afterManualAttemptSettlement(state, outcome, clock.now(), config)
    if (!decision)
      throw invalidParameter('outcome', {
        tr: 'Ödeme bu deneme olmadan devam etti: çekilen tutar bankada iade edilmelidir.',
        en: 'The payment continued without this attempt: refund the charged amount at the bank.',
      })
    // A manual outcome does not state the charged amount.
    return { ...decision, needsVerification: outcome === 'taken' }
  })
}
