import type { BankRetrySchedule } from '../records/bank-call.ts'
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
      return again(verification, now, schedule)
  }
}

function again(
  verification: Verification,
  now: Date,
  { inquireAfterSeconds: waits }: BankRetrySchedule,
): Verification {
  const tries = verification.tries + 1
  const waitS = waits[tries - 1] ?? waits.at(-1) ?? 0
  const needsReviewAt = verification.needsReviewAt ?? (tries > waits.length ? now : null)
  return { ...verification, tries, dueAt: new Date(now.getTime() + waitS * 1000), needsReviewAt }
}
