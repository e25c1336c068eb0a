import type { Random } from '../../../kit/security/random.ts'
import type { BankReferences, DeclineReason } from '../../connectors/index.ts'
import type { PosChoiceReason } from '../../pos/index.ts'
import type { Instrument } from './instrument.ts'
import type { Payment } from './payment.ts'

/** A payment and one of its attempts, read together. */
export interface AttemptWithPayment {
  payment: Payment
  attempt: Attempt
}

/** States of an attempt. In states that end in -ing, an answer of another party is pending. */
export const attemptStates = [
  'authenticating',
  'authorizing',
  'approved',
  'declined',
  'abandoned',
  'reversing',
  'reversed',
] as const

export type AttemptState = (typeof attemptStates)[number]

/** All transitions of an attempt. A reversed attempt whose charge appears later is reversed again. */
export const attemptEdges: Readonly<Record<AttemptState, readonly AttemptState[]>> = {
  authenticating: ['authorizing', 'declined', 'abandoned'],
  authorizing: ['approved', 'declined', 'abandoned', 'reversing', 'reversed'],
  approved: [],
  declined: ['reversing'],
  abandoned: ['reversing'],
  reversing: ['reversed', 'approved'],
  reversed: ['reversing'],
}

/** One submitted card of a payment. */
export interface Attempt {
  merchantId: number
  id: number
  paymentId: number
  /** Position in the payment, from 1. */
  number: number
  /** Reference of the charge at the bank. */
  reference: string
  state: AttemptState
  /** Number of changes. */
  version: number
  posId: number
  connector: string
  preAuth: boolean
  currency: string
  /** Amount that the payer is charged. */
  chargedMinor: number
  /** Amount at the bank, if verification found a different one. */
  bankChargedMinor: number | null
  /** Commission that the bank keeps of the charge. */
  commissionMinor: number
  /** Commission rate that was applied. */
  commissionId: number
  installment: number
  /** Reason for the choice of this POS. */
  reason: PosChoiceReason
  instrument: Instrument
  payerAddress: string | null
  /** The page's key of the submission that began the attempt; null if the page sent none. */
  submission: string | null
  beganAt: Date
  /** Time of the first authorization request. From then on the bank's answer decides. */
  askedAt: Date | null
  endedAt: Date | null
  code: string | null
  message: string | null
  declineReason: DeclineReason | null
  bankReferences: BankReferences | null
  /** Time at which the bank must be asked again. */
  dueAt: Date | null
  /** Unsuccessful bank calls since the attempt entered its state. */
  tries: number
  /** Start of the manual review. */
  needsReviewAt: Date | null
}

/**
 * New reference of an attempt for the bank: twenty capital letters and digits, which every bank accepts. The
 * id alone is not enough: another database, or a restored one, uses the same ids, and the bank would find an
 * old charge under a new reference.
 */
export function newReference(id: number, random: Random): string {
  const ending = [...random.bytes(6)].map((byte) => (byte % 32).toString(32)).join('')
  return `${id}${ending.toUpperCase()}`
}

/** Amount that the bank charged, if known; otherwise the requested amount. */
export function amountChargedAtBank({ bankChargedMinor, chargedMinor }: Attempt): number {
  return bankChargedMinor ?? chargedMinor
}
