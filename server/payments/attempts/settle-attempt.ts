import type { Merchant } from '../../merchants/index.ts'
import type { Services } from '../../services.ts'
import { applyAnsweredCall } from '../calls/apply-answered-call.ts'
import type { BankCall, BankCallSubject } from '../calls/call.ts'
import type { BankCallLeaseWriter } from '../calls/lease.ts'
import { BankCallLease } from '../calls/lease.ts'
import { applyTransition } from '../transitions/transition.ts'
import { newVerificationOfAttempt } from '../verifications/verification.ts'
import type { Attempt } from './attempt.ts'
import type { AttemptDecision, AttemptWithPayment } from './decide.ts'
import { attemptWithPaymentOf } from './store.ts'

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

/** A question about the charge itself. */
export function bankCallSubjectOfAttempt({ merchantId, id: attemptId, paymentId }: Attempt): BankCallSubject {
  return { merchantId, paymentId, attemptId, modificationId: null }
}
