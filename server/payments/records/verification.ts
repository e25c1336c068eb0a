import type { EchoedTerms } from '../../connectors/index.ts'
import type { Attempt } from './attempt.ts'
import type { Modification } from './modification.ts'
import type { Payment } from './payment.ts'

/** The operation that was approved. */
export type VerificationKind = 'charge' | 'hold' | 'capture' | 'release' | 'refund'

export type VerificationState = 'unverified' | 'verified' | 'differs' | 'settled'

/** The evidence that verified an approval, or showed that the bank has another amount. */
export type VerificationEvidence = 'inquiry' | 'statement' | 'person'

/** An approval whose amount the bank's answer did not name, until the bank's book is known to say the same. */
export interface Verification {
  merchantId: number
  /** The id of the attempt or of the modification that was approved. */
  id: number
  paymentId: number
  attemptId: number
  /** Null where it is about the charge itself. */
  modificationId: number | null
  posId: number
  kind: VerificationKind
  amountMinor: number
  /** The amount that the bank has, where it is another. */
  bankAmountMinor: number | null
  currency: string
  state: VerificationState
  /** The number of its changes. */
  version: number
  approvedAt: Date
  endedAt: Date | null
  source: VerificationEvidence | null
  /** The time of the next inquiry. */
  dueAt: Date | null
  /** The number of inquiries that settled nothing. */
  tries: number
  /** Time since which it needs manual review. */
  needsReviewAt: Date | null
}

/** An unverified approval with all that its bank was asked for on the same charge, as it was read together. */
export interface VerificationWithPayment {
  payment: Payment
  attempt: Attempt
  modifications: readonly Modification[]
  verification: Verification
}

/** The sum that the bank has of the payer beyond our book by such a difference; negative where it has less. */
export function surplusMinorOf(kind: VerificationKind, amountMinor: number, bankAmountMinor: number): number {
  return kind === 'refund' ? amountMinor - bankAmountMinor : bankAmountMinor - amountMinor
}

/** Whether an answer named all that was asked for. What it named is compared elsewhere. */
export function hasAllEchoedTerms({ reference, amountMinor, currency }: EchoedTerms): boolean {
  return reference !== undefined && amountMinor !== undefined && currency !== undefined
}

/** A bank's book has what was done this long ago: banks have been seconds late. */
export const firstInquiryDelayMs = 60_000

/** The verification of a charge or a hold that was just approved. */
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

/** The verification of a capture, a release or a refund that was just approved. */
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
