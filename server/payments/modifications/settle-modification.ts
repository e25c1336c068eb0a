import type { Merchant } from '../../merchants/index.ts'
import type { Services } from '../../services.ts'
import { applyAnsweredCall } from '../bank-calls/apply-answered-call.ts'
import type { BankCallLeaseWriter } from '../bank-calls/lease.ts'
import { BankCallLease } from '../bank-calls/lease.ts'
import { recordAnsweredCall } from '../records/bank-call.sql.ts'
import type { BankCallSubject } from '../records/bank-call.ts'
import { modificationWithPaymentOf } from '../records/modification.sql.ts'
import type { Modification, ModificationWithPayment } from '../records/modification.ts'
import { bankOperations } from '../records/modification.ts'
import { newVerificationOfModification } from '../records/verification.ts'
import type { Transition } from '../transitions/transition.ts'
import { applyTransition } from '../transitions/transition.ts'

/** Effects on other records when a modification is done or refused. */
export interface OutcomeEffects
  extends Pick<Transition, 'payment' | 'eventToEmit' | 'postings' | 'newModification' | 'extraWrites'> {
  /** Runs after the write. */
  afterWrite?: () => void
}

/** Decides the effects of a modification that has just ended. */
export type OutcomeHandler = (
  services: Pick<Services, 'sql' | 'clock' | 'ids' | 'metrics'>,
  merchant: Merchant,
  context: ModificationWithPayment,
) => Promise<OutcomeEffects>

/** New state of a modification; `needsVerification` if the bank's answer did not confirm the amount. */
export interface ModificationDecision {
  modification: Modification
  needsVerification: boolean
}

/** Leases a modification for processing. */
export function newModificationLease(
  services: Services,
  merchant: Merchant,
  context: ModificationWithPayment,
  onOutcome: OutcomeHandler,
): BankCallLease<ModificationWithPayment, ModificationDecision> {
  const target: BankCallLeaseWriter<ModificationWithPayment, ModificationDecision> = {
    subject: ({ modification }) => bankCallSubjectOfModification(modification),
    lease: async (before, dueAt, calls) => {
      const { operation, askedAt } = calls.bankCall
      const modificationOperation = bankOperations.find((each) => each === operation)
      // An earlier refusal is cleared: the answer to this call may be lost.
      const modification = {
        ...before.modification,
        dueAt,
        ...(modificationOperation && { operation: modificationOperation, askedAt, declineReason: null }),
      }
      const result = await applyTransition(services, merchant, { before, modification, ...calls })
      return result?.modification && { ...before, modification: result.modification }
    },
    settle: async (seen, answeredCall, decide) => {
      const then = await applyAnsweredCall(services, answeredCall, seen, {
        write: async (before) => {
          const { modification, needsVerification } = decide(before)
          if (isStaleAnswer(seen.modification, before.modification, modification)) {
            await recordAnsweredCall(services.sql, answeredCall)
            return before
          }
          const ended =
            modification.state === 'doing'
              ? {}
              : await onOutcome(services, merchant, { ...before, modification })
          const { afterWrite, ...effects }: OutcomeEffects = ended
          const newVerification = needsVerification
            ? newVerificationOfModification(modification, before.attempt, services.clock.now())
            : undefined
          const result = await applyTransition(services, merchant, {
            before,
            modification,
            ...effects,
            newVerification,
            answeredCall,
          })
          if (result) afterWrite?.()
          return (
            result?.modification && { ...before, payment: result.payment, modification: result.modification }
          )
        },
        reload: ({ modification }) => modificationWithPaymentOf(services.sql, modification),
      })
      warnOfManualReview(services, seen.modification, then.modification)
      return then
    },
  }
  return new BankCallLease(services, target, context)
}

/** Subject of a bank call about a modification. */
export function bankCallSubjectOfModification({
  merchantId,
  paymentId,
  attemptId,
  id: modificationId,
}: Modification): BankCallSubject {
  return { merchantId, paymentId, attemptId, modificationId }
}

function warnOfManualReview(
  { log }: Pick<Services, 'log'>,
  before: Modification,
  { needsReviewAt, id, paymentId }: Modification,
): void {
  if (needsReviewAt && !before.needsReviewAt)
    log.warn(
      { modification: id, payment: paymentId },
      'a modification is still unsettled; needs manual review: vezne payment unknown',
    )
}

/**
 * True if an answer has no effect any more: the modification is already settled, or another instance has the
 * lease and the bank may be executing it now. The outcome done always counts while the modification is open.
 */
function isStaleAnswer(seen: Modification, before: Modification, after: Modification): boolean {
  if (before.state !== 'doing') return true
  return before.version !== seen.version && after.state !== 'done'
}
