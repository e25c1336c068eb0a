import type { RowOf } from '../../../kit/runtime/table.ts'
import { bigint, defineMerchantTable, integer, text, timestamptz } from '../../../kit/runtime/table.ts'
import type { EchoedTerms } from '../../connectors/index.ts'
import type { Attempt } from './attempt.ts'
import type { Modification } from './modification.ts'
import type { Payment } from './payment.ts'

/** The approved operation. */
export type VerificationKind = 'charge' | 'hold' | 'capture' | 'release' | 'refund'

export type VerificationState = 'unverified' | 'verified' | 'differs' | 'settled'

/** Evidence that verified an approval or showed a difference. */
export type VerificationEvidence = 'inquiry' | 'statement' | 'manual'

/** Evidence in words for operators. */
export const evidenceTexts: Readonly<Record<VerificationEvidence, string>> = {
  inquiry: 'an inquiry',
  statement: 'a statement',
  manual: 'a manual review',
}

export const verifications = defineMerchantTable('verifications', {
  merchantId: bigint(),
  /** Id of the approved attempt or modification. */
  id: bigint(),
  paymentId: bigint(),
  attemptId: bigint(),
  /** Null if the approval is of the charge itself. */
  modificationId: bigint().orNull(),
  posId: bigint(),
  kind: text<VerificationKind>(),
  amountMinor: bigint(),
  /** Amount at the bank, if it differs. */
  bankAmountMinor: bigint().orNull(),
  currency: text(),
  state: text<VerificationState>(),
  /** Number of changes. */
  version: integer(),
  approvedAt: timestamptz(),
  endedAt: timestamptz().orNull(),
  source: text<VerificationEvidence>().orNull(),
  /** Time of the next inquiry. */
  dueAt: timestamptz().orNull(),
  /** Inquiries without a result. */
  tries: integer(),
  /** Start of the manual review. */
  needsReviewAt: timestamptz().orNull(),
})

/** An approval whose amount the bank's answer did not name, until the bank's records confirm it. */
export type Verification = RowOf<typeof verifications>

/** Limit on the inquiries of a POS, over all instances. */
export const inquiryLimits = defineMerchantTable('inquiry_limits', {
  merchantId: bigint(),
  posId: bigint(),
  /** Second of the last inquiry, in which `inquiries` were sent. */
  second: timestamptz(),
  inquiries: integer(),
  /** Failed inquiries in a row. */
  failures: integer(),
  pausedUntil: timestamptz().orNull(),
})

/**
 * An unverified approval with its payment, its attempt and all modifications of the charge, read together.
 */
export interface VerificationWithPayment {
  payment: Payment
  attempt: Attempt
  modifications: readonly Modification[]
  verification: Verification
}

/** Surplus at the bank compared with our ledger because of a difference; negative for a shortfall. */
export function surplusMinorOf(kind: VerificationKind, amountMinor: number, bankAmountMinor: number): number {
  return kind === 'refund' ? amountMinor - bankAmountMinor : bankAmountMinor - amountMinor
}

/** True if an answer repeated all requested terms. Their values are compared elsewhere. */
export function hasAllEchoedTerms({ reference, amountMinor, currency }: EchoedTerms): boolean {
  return reference !== undefined && amountMinor !== undefined && currency !== undefined
}

/** Age at which a bank's records must contain an operation. Banks can be seconds late. */
export const firstInquiryDelayMs = 60_000

/** Verification of what was just approved: the charge or hold of an attempt, or a modification of it. */
export function newVerification(
  { attempt, modification }: { attempt: Attempt; modification?: Modification },
  approvedAt: Date,
): Verification {
  const { merchantId, paymentId, id: attemptId, posId, currency, preAuth, chargedMinor } = attempt
  return {
    ...verifications.nulls,
    ...{ merchantId, paymentId, attemptId, posId, currency },
    id: modification?.id ?? attemptId,
    modificationId: modification?.id ?? null,
    kind: modification?.kind ?? (preAuth ? 'hold' : 'charge'),
    amountMinor: modification?.amountMinor ?? chargedMinor,
    state: 'unverified',
    version: 1,
    approvedAt,
    dueAt: new Date(approvedAt.getTime() + firstInquiryDelayMs),
    tries: 0,
  }
}
