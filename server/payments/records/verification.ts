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

/** An approval whose amount the bank's answer did not name, until the bank's records confirm it. */
export interface Verification {
  merchantId: number
  /** Id of the approved attempt or modification. */
  id: number
  paymentId: number
  attemptId: number
  /** Null if the approval is of the charge itself. */
  modificationId: number | null
  posId: number
  kind: VerificationKind
  amountMinor: number
  /** Amount at the bank, if it differs. */
  bankAmountMinor: number | null
  currency: string
  state: VerificationState
  /** Number of changes. */
  version: number
  approvedAt: Date
  endedAt: Date | null
  source: VerificationEvidence | null
  /** Time of the next inquiry. */
  dueAt: Date | null
  /** Inquiries without a result. */
  tries: number
  /** Start of the manual review. */
  needsReviewAt: Date | null
}

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

/** Verification of a charge or a hold that was just approved. */
export function newVerificationOfAttempt(attempt: Attempt, now: Date): Verification {
  const { merchantId, id, paymentId, posId, preAuth, chargedMinor: amountMinor, currency } = attempt
  const kind = preAuth ? 'hold' : 'charge'
  const approval = {
    merchantId,
    id,
    paymentId,
    attemptId: id,
    modificationId: null,
    posId,
    kind,
    amountMinor,
  } as const
  return unverified({ ...approval, currency }, now)
}

/** Verification of a capture, a release or a refund that was just approved. */
export function newVerificationOfModification(
  modification: Modification,
  { currency }: Attempt,
  now: Date,
): Verification {
  const { merchantId, id, paymentId, attemptId, posId, kind, amountMinor } = modification
  const approval = { merchantId, id, paymentId, attemptId, modificationId: id, posId, kind, amountMinor }
  return unverified({ ...approval, currency }, now)
}

type Approval =
  | 'merchantId'
  | 'id'
  | 'paymentId'
  | 'attemptId'
  | 'modificationId'
  | 'posId'
  | 'kind'
  | 'amountMinor'

function unverified(approval: Pick<Verification, Approval | 'currency'>, approvedAt: Date): Verification {
  return {
    ...approval,
    bankAmountMinor: null,
    state: 'unverified',
    version: 1,
    approvedAt,
    endedAt: null,
    source: null,
    dueAt: new Date(approvedAt.getTime() + firstInquiryDelayMs),
    tries: 0,
    needsReviewAt: null,
  }
}
