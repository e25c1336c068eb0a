import { invalidParameter } from '../../../kit/input/refusals.ts'
import { merchantById } from '../../merchants/index.ts'
import type { Services } from '../../services.ts'
import { manualDecisionAsBankCall } from '../bank-calls/ask-bank.ts'
import { leaseCutoff } from '../bank-calls/lease.ts'
import { hasPendingBankCall } from '../records/bank-call.sql.ts'
import { locateModification, modificationWithPaymentOf } from '../records/modification.sql.ts'
import type { ModificationKind, ModificationWithPayment } from '../records/modification.ts'
import { newVerificationOfModification } from '../records/verification.ts'
import { applyTransition } from '../transitions/transition.ts'
import { afterManualModificationSettlement } from './decide.ts'
import type { OutcomeHandler } from './settle-modification.ts'
import { bankCallSubjectOfModification } from './settle-modification.ts'

export interface ManualModificationSettlement {
  id: number
  outcome: 'done' | 'not_done'
  by: string
  reason: string
}

/**
 * Settles a modification manually. Guarantee:
 * - Only a modification in manual review can be settled, and only while no bank is asked about it.
 * - The operator's name and reason are stored with the evidence.
 * - The effects are the same as after a bank's answer.
 * - A release cannot be settled as not done, because the hold must end.
 */
export async function settleModificationManually(
  services: Services,
  { id, outcome, by, reason }: ManualModificationSettlement,
  outcomeHandlers: Readonly<Record<ModificationKind, OutcomeHandler>>,
): Promise<ModificationWithPayment> {
  const location = await locateModification(services.sql, id)
  const context = location && (await modificationWithPaymentOf(services.sql, location))
  const merchant = location && (await merchantById(services.sql, location.merchantId))
  if (!context || !merchant || context.modification.needsReviewAt === null)
    throw invalidParameter('id', {
      tr: 'Bu numarayla, manuel inceleme bekleyen bir ödeme denemesi veya banka işlemi yok.',
      en: 'There is no attempt or modification with this ID in manual review.',
    })
  const { attempt } = context
  if (context.modification.kind === 'release' && outcome === 'not_done')
    throw invalidParameter('outcome', {
      tr: 'Bloke edilen tutar serbest bırakılmalıdır: banka serbest bıraktığında done seçin. O zamana kadar bankaya sorulmaya devam edilir.',
      en: 'The hold must be released: choose done when the bank has released it. Until then, the service keeps asking the bank.',
    })
  const now = services.clock.now()
  // The bank's answer might contradict the manual outcome.
  if (await hasPendingBankCall(services.sql, attempt, leaseCutoff(services)))
    throw new Error('The service is asking the bank about it at the moment. Try again in a few minutes.')
  const modification = afterManualModificationSettlement(context.modification, outcome, now)
  const { afterWrite, ...effects } = await outcomeHandlers[modification.kind](services, merchant, {
    ...context,
    modification,
  })
  const bankCall = await manualDecisionAsBankCall(services, bankCallSubjectOfModification(modification), {
    outcome,
    by,
    reason,
  })
  // A manual outcome does not state the amount.
  const newVerification =
    outcome === 'done' ? newVerificationOfModification(modification, attempt, now) : undefined
  const result = await applyTransition(services, merchant, {
    before: context,
    modification,
    ...effects,
    newVerification,
    bankCall,
  })
  if (!result?.modification)
    throw new Error('It has changed in the meantime. Look at it again: vezne payment unknown')
  afterWrite?.()
  return { payment: result.payment, attempt, modification: result.modification }
}
