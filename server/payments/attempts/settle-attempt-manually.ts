import { invalidParameter } from '../../../kit/input/refusals.ts'
import { merchantById } from '../../merchants/index.ts'
import type { Services } from '../../services.ts'
import { manualDecisionAsBankCall } from '../bank-calls/ask-bank.ts'
import { leaseCutoff } from '../bank-calls/lease.ts'
import { attemptWithPaymentOf, locateAttempt } from '../records/attempt.sql.ts'
import type { AttemptWithPayment } from '../records/attempt.ts'
import { hasPendingBankCall } from '../records/bank-call.sql.ts'
import { newVerificationOfAttempt } from '../records/verification.ts'
import { applyTransition } from '../transitions/transition.ts'
import { afterManualAttemptSettlement } from './decide.ts'
import { bankCallSubjectOfAttempt } from './settle-attempt.ts'

export interface ManualAttemptSettlement {
  id: number
  outcome: 'taken' | 'not_taken'
  by: string
  reason: string
}

/**
 * Settles an attempt manually. Guarantee:
 * - Only an attempt in manual review can be settled.
 * - The operator's name and reason are stored with the evidence.
 * - An attempt is settled as taken only while its payment waits for it; otherwise the payment could be paid
 * twice.
 */
export async function settleAttemptManually(
  services: Services,
  settlement: ManualAttemptSettlement,
): Promise<AttemptWithPayment> {
  const location = await locateAttempt(services.sql, settlement.id)
  const context = location && (await attemptWithPaymentOf(services.sql, location))
  const merchant = location && (await merchantById(services.sql, location.merchantId))
  if (!context || !merchant || context.attempt.needsReviewAt === null)
    throw invalidParameter('id', {
      tr: 'Bu numarayla, manuel inceleme bekleyen bir ödeme denemesi veya banka işlemi yok.',
      en: 'There is no attempt or modification with this ID in manual review.',
    })
  const { outcome } = settlement
  const now = services.clock.now()
  // The bank's answer might contradict the manual outcome.
  if (await hasPendingBankCall(services.sql, context.attempt, leaseCutoff(services)))
    throw new Error('The service is asking the bank about it at the moment. Try again in a few minutes.')
  const decision = afterManualAttemptSettlement(context, outcome, now, services.config)
  if (!decision)
    throw invalidParameter('outcome', {
      tr: 'Ödeme bu deneme olmadan devam etti: çekilen tutar bankada iade edilmelidir.',
      en: 'The payment continued without this attempt: refund the charged amount at the bank.',
    })
  const bankCall = await manualDecisionAsBankCall(
    services,
    bankCallSubjectOfAttempt(context.attempt),
    settlement,
  )
  // A manual outcome does not state the charged amount.
  const newVerification = outcome === 'taken' ? newVerificationOfAttempt(decision.attempt, now) : undefined
  const result = await applyTransition(services, merchant, {
    before: context,
    ...decision,
    newVerification,
    bankCall,
  })
  if (!result?.attempt)
    throw new Error('It has changed in the meantime. Look at it again: vezne payment unknown')
  return { payment: result.payment, attempt: result.attempt }
}
