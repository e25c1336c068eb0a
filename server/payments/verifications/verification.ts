import type { Shown } from '../../connectors/index.ts'
import type { Attempt } from '../attempts/attempt.ts'
import type { Deed } from '../deeds/deed.ts'
import type { Payment } from '../payment.ts'

/** What was approved. */
export type VerifiedKind = 'charge' | 'hold' | 'capture' | 'release' | 'refund'

export type VerificationState = 'unverified' | 'verified' | 'differs' | 'settled'

/** What verified an approval, or showed that the bank has another amount. */
export type Source = 'inquiry' | 'statement' | 'person'

/** An approval whose amount the bank's answer did not name, until the bank's book is known to say the same. */
export interface Verification {
  merchantId: number
  /** The id of the attempt or of the deed that was approved. */
  id: number
  paymentId: number
  attemptId: number
  /** Null where it is about the charge itself. */
  deedId: number | null
  posId: number
  kind: VerifiedKind
  amountMinor: number
  /** The amount that the bank has, where it is another. */
  bankAmountMinor: number | null
  currency: string
  state: VerificationState
  /** How often anything about it has changed. */
  version: number
  approvedAt: Date
  endedAt: Date | null
  source: Source | null
  /** When the bank is asked next. */
  dueAt: Date | null
  /** How often it was asked in vain. */
  tries: number
  /** Since when people have to look at it. */
  needsPersonAt: Date | null
}

/** An unverified approval with all that its bank was asked for on the same charge, as it was read together. */
export interface VerificationSituation {
  payment: Payment
  attempt: Attempt
  deeds: readonly Deed[]
  verification: Verification
}

/** Whether an answer named all that was asked for. What it named is compared elsewhere. */
export function isProven({ reference, amountMinor, currency }: Shown): boolean {
  return reference !== undefined && amountMinor !== undefined && currency !== undefined
}

/** How long after it was done a bank's book is certain to have something: banks have been seconds late. */
export const firstAfterMs = 60_000

const fresh = {
  bankAmountMinor: null,
  state: 'unverified',
  version: 1,
  endedAt: null,
  source: null,
  tries: 0,
  needsPersonAt: null,
} as const

/** The verification of a charge or a hold that was just approved. */
export function verificationOfAttempt(attempt: Attempt, now: Date): Verification {
  const { merchantId, id, paymentId, posId, preAuth, chargedMinor: amountMinor, currency } = attempt
  const kind = preAuth ? 'hold' : 'charge'
  const of = {
    merchantId,
    id,
    paymentId,
    attemptId: id,
    deedId: null,
    posId,
    kind,
    amountMinor,
    currency,
  } as const
  return { ...fresh, ...of, approvedAt: now, dueAt: new Date(now.getTime() + firstAfterMs) }
}

/** The same of a capture, a release or a refund. */
export function verificationOfDeed(deed: Deed, { currency }: Attempt, now: Date): Verification {
  const { merchantId, id, paymentId, attemptId, posId, kind, amountMinor } = deed
  const of = { merchantId, id, paymentId, attemptId, deedId: id, posId, kind, amountMinor, currency }
  return { ...fresh, ...of, approvedAt: now, dueAt: new Date(now.getTime() + firstAfterMs) }
}
