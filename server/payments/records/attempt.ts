import type { RowOf } from '../../../kit/runtime/table.ts'
import {
  bigint,
  boolean,
  bytea,
  defineMerchantTable,
  integer,
  jsonb,
  text,
  timestamptz,
} from '../../../kit/runtime/table.ts'
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

export const attempts = defineMerchantTable('payment_attempts', {
  merchantId: bigint(),
  id: bigint(),
  paymentId: bigint(),
  /** Position in the payment, from 1. */
  number: integer(),
  /** Reference of the charge at the bank. */
  reference: text(),
  state: text<AttemptState>(),
  /** Number of changes. */
  version: integer(),
  posId: bigint(),
  connector: text(),
  preAuth: boolean(),
  currency: text(),
  /** Amount that the payer is charged. */
  chargedMinor: bigint(),
  /** Amount at the bank, if verification found a different one. */
  bankChargedMinor: bigint().orNull(),
  /** Commission that the bank keeps of the charge. */
  commissionMinor: bigint(),
  /** Commission rate that was applied. */
  commissionId: bigint(),
  installment: integer(),
  /** Reason for the choice of this POS. */
  reason: jsonb<PosChoiceReason>(),
  instrumentFingerprint: bytea(),
  payerAddress: text().orNull(),
  /** The page's key of the submission that began the attempt; null if the page sent none. */
  submission: text().orNull(),
  beganAt: timestamptz(),
  /** Time of the first authorization request. From then on the bank's answer decides. */
  askedAt: timestamptz().orNull(),
  endedAt: timestamptz().orNull(),
  code: text().orNull(),
  message: text().orNull(),
  declineReason: text<DeclineReason>().orNull(),
  bankReferences: jsonb<BankReferences>().orNull(),
  /** Time at which the bank must be asked again. */
  dueAt: timestamptz().orNull(),
  /** Unsuccessful bank calls since the attempt entered its state. */
  tries: integer(),
  /** Start of the manual review. */
  needsReviewAt: timestamptz().orNull(),
})

/** One submitted card of a payment. */
export type Attempt = Omit<RowOf<typeof attempts>, 'instrumentFingerprint'> & { instrument: Instrument }

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
