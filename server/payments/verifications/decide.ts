import type { BankRetrySchedule } from '../bank-calls/bank-work.ts'
import { withNextCall } from '../bank-calls/bank-work.ts'
import type { Verification, VerificationEvidence } from '../records/verification.ts'
import type { BankComparison } from './compare.ts'

/**
 * Decides the state of an unverified approval after a comparison with the bank. Pure. Guarantee: the approval
 * becomes verified or differs; any other result leads to another inquiry, and after the last delay of the
 * schedule to manual review too.
 */
export function decideVerification(
  verification: Verification,
  comparison: BankComparison,
  source: VerificationEvidence,
  now: Date,
  schedule: BankRetrySchedule,
): Verification {
  const ended = { ...verification, endedAt: now, source, dueAt: null }
  switch (comparison.result) {
    case 'same':
      return { ...ended, state: 'verified', needsReviewAt: null }
    case 'different': {
      const { bankAmountMinor } = comparison
      return { ...ended, state: 'differs', bankAmountMinor, needsReviewAt: verification.needsReviewAt ?? now }
    }
    case 'open':
      return withNextCall(verification, schedule.inquireAfterSeconds, now)
  }
}
