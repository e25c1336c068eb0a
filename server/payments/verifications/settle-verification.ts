import type { Merchant } from '../../merchants/index.ts'
import type { Services } from '../../services.ts'
import { applyAnsweredCall } from '../bank-calls/apply-answered-call.ts'
import type { BankCallLeaseWriter } from '../bank-calls/lease.ts'
import { BankCallLease } from '../bank-calls/lease.ts'
import { recordAnsweredCall } from '../records/bank-call.sql.ts'
import type { BankCallSubject } from '../records/bank-call.ts'
import { verificationWithPaymentOf } from '../records/verification.sql.ts'
import type { Verification, VerificationWithPayment } from '../records/verification.ts'
import type { Transition } from '../transitions/transition.ts'
import { applyTransition } from '../transitions/transition.ts'
import { differenceEffects } from './difference.ts'

type Needs = Pick<Services, 'sql' | 'clock' | 'ids' | 'metrics' | 'log'>

/** Leases an approval for an inquiry. The verdict is the new state of its verification. */
export function newVerificationLease(
  services: Services,
  merchant: Merchant,
  context: VerificationWithPayment,
): BankCallLease<VerificationWithPayment, Verification> {
  const target: BankCallLeaseWriter<VerificationWithPayment, Verification> = {
    subject: ({ verification }) => bankCallSubjectOfVerification(verification),
    lease: async (before, dueAt, calls) => {
      const verification = { ...before.verification, dueAt }
      const claim = { now: services.clock.now(), perSecond: services.config.verificationsPerSecond }
      const result = await applyTransition(services, merchant, { before, verification, claim, ...calls })
      return result?.verification && { ...before, verification: result.verification }
    },
    settle: (seen, answeredCall, decide) =>
      applyAnsweredCall(services, answeredCall, seen, {
        write: async (before) => {
          if (before.verification.state === 'unverified')
            return writeVerification(services, merchant, before, decide(before), { answeredCall })
          await recordAnsweredCall(services.sql, answeredCall)
          return before
        },
        reload: ({ verification }) => verificationWithPaymentOf(services.sql, verification),
      }),
  }
  return new BankCallLease(services, target, context)
}

/**
 * Writes the state of a verification; for a difference also the ledger postings and the event. Undefined if
 * the payment or the verification has changed meanwhile.
 */
export async function writeVerification(
  services: Needs,
  merchant: Merchant,
  before: VerificationWithPayment,
  verification: Verification,
  calls: Pick<Transition, 'bankCall' | 'answeredCall'> = {},
): Promise<VerificationWithPayment | undefined> {
  const isDifferent = verification.state === 'differs'
  const result = await applyTransition(services, merchant, {
    before,
    verification,
    ...(isDifferent && differenceEffects(before, verification)),
    ...calls,
  })
  if (!result?.verification) return undefined
  logManualReview(services, before.verification, result.verification)
  const { payment, attempt = before.attempt } = result
  return { ...before, payment, attempt, verification: result.verification }
}

/** Subject of a bank call about an approval: the charge or a modification. */
export function bankCallSubjectOfVerification({
  merchantId,
  paymentId,
  attemptId,
  modificationId,
}: Verification): BankCallSubject {
  return { merchantId, paymentId, attemptId, modificationId }
}

function logManualReview({ log }: Needs, before: Verification, after: Verification): void {
  const { id: verification, paymentId: payment, amountMinor, bankAmountMinor } = after
  // A command shows the difference to its operator, so no log line is needed.
  if (after.source !== null && after.source !== 'inquiry') return
  if (after.state === 'differs')
    log.warn(
      { verification, payment, amountMinor, bankAmountMinor },
      'the bank’s amount differs from the requested one; needs manual review: vezne payment unknown',
    )
  else if (after.needsReviewAt && !before.needsReviewAt)
    log.warn(
      { verification, payment },
      'verifying an approval failed; needs manual review: vezne payment unknown',
    )
}
