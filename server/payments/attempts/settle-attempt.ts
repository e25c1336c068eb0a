import type { Merchant } from '../../merchants/index.ts'
import type { Services } from '../../services.ts'
import { applyAnsweredCall } from '../bank-calls/apply-answered-call.ts'
import type { BankCallLeaseWriter } from '../bank-calls/lease.ts'
import { BankCallLease } from '../bank-calls/lease.ts'
import { attemptWithPaymentOf } from '../records/attempt.sql.ts'
import type { Attempt, AttemptWithPayment } from '../records/attempt.ts'
import type { BankCall, BankCallSubject } from '../records/bank-call.ts'
import { newVerificationOfAttempt } from '../records/verification.ts'
import { applyTransition } from '../transitions/transition.ts'
import type { AttemptDecision } from './decide.ts'

/** Applies a bank's answer to the current state of an attempt. */
export function settleAttempt(
  services: Pick<Services, 'sql' | 'clock' | 'ids' | 'metrics'>,
  merchant: Merchant,
  seen: AttemptWithPayment,
  answeredCall: BankCall,
  decide: (context: AttemptWithPayment) => AttemptDecision,
): Promise<AttemptWithPayment> {
  return applyAnsweredCall(services, answeredCall, seen, {
    write: async (before) => {
      const { needsVerification, ...decision } = decide(before)
      const newVerification = needsVerification
        ? newVerificationOfAttempt(decision.attempt, services.clock.now())
        : undefined
      const result = await applyTransition(services, merchant, {
        before,
        ...decision,
        newVerification,
        answeredCall,
      })
      return result && { payment: result.payment, attempt: result.attempt ?? before.attempt }
    },
    reload: ({ attempt }) => attemptWithPaymentOf(services.sql, attempt),
  })
}

/** Leases an attempt for processing. */
export function newAttemptLease(
  services: Services,
  merchant: Merchant,
  context: AttemptWithPayment,
): BankCallLease<AttemptWithPayment, AttemptDecision> {
  const target: BankCallLeaseWriter<AttemptWithPayment, AttemptDecision> = {
    subject: ({ attempt }) => bankCallSubjectOfAttempt(attempt),
    lease: async (before, dueAt, calls) => {
      const result = await applyTransition(services, merchant, {
        before,
        attempt: { ...before.attempt, dueAt },
        ...calls,
      })
      return result?.attempt && { payment: result.payment, attempt: result.attempt }
    },
    settle: async (before, answeredCall, decide) => {
      const then = await settleAttempt(services, merchant, before, answeredCall, decide)
      if (then.attempt.needsReviewAt && !before.attempt.needsReviewAt) {
        const { id: attempt, paymentId: payment } = then.attempt
        services.log.warn(
          { attempt, payment },
          'a charge is still unsettled; needs manual review: vezne payment unknown',
        )
      }
      return then
    },
  }
  return new BankCallLease(services, target, context)
}

/** Subject of a bank call about the charge itself. */
export function bankCallSubjectOfAttempt({ merchantId, id: attemptId, paymentId }: Attempt): BankCallSubject {
  return { merchantId, paymentId, attemptId, modificationId: null }
}
