import type { Random } from '../../../kit/security/random.ts'
import type { BankReferences, DeclineReason } from '../../connectors/index.ts'
import type { PosChoiceReason } from '../../pos/index.ts'
import type { Payment } from './payment.ts'

/** A payment and the attempt in question, as they were read together. */
export interface AttemptWithPayment {
  payment: Payment
  attempt: Attempt
}

/** States of an attempt. In those that end in -ing somebody else is being asked. */
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

/** Every way that an attempt can go. A reversed one whose charge shows up after all is reversed again. */
export const attemptEdges: Readonly<Record<AttemptState, readonly AttemptState[]>> = {
  authenticating: ['authorizing', 'declined', 'abandoned'],
  authorizing: ['approved', 'declined', 'abandoned', 'reversing', 'reversed'],
  approved: [],
  declined: ['reversing'],
  abandoned: ['reversing'],
  reversing: ['reversed', 'approved'],
  reversed: ['reversing'],
}

/** One try to pay with one card. */
export interface Attempt {
  merchantId: number
  id: number
  paymentId: number
  /** The first of a payment is 1. */
  number: number
  /** By what we and the bank both know it. */
  reference: string
  state: AttemptState
  /** How often anything about it has changed. */
  version: number
  posId: number
  connector: string
  preAuth: boolean
  currency: string
  /** What the payer is charged. */
  chargedMinor: number
  /** The amount at the bank, where verification has shown another one. */
  bankChargedMinor: number | null
  /** What of it the bank keeps. */
  commissionMinor: number
  /** The rate that says so. */
  commissionId: number
  installment: number
  /** Why this POS. */
  reason: PosChoiceReason
  cardMasked: string
  cardFingerprint: Buffer
  payerAddress: string | null
  /** What the page called the press of its button that began this; null where it had no name for it. */
  submission: string | null
  beganAt: Date
  /** When the bank was first asked for money: from then on its answer decides. */
  askedAt: Date | null
  endedAt: Date | null
  code: string | null
  message: string | null
  declineReason: DeclineReason | null
  bankReferences: BankReferences | null
  /** When the bank has to be asked again. */
  dueAt: Date | null
  /** How often it was asked in vain since the attempt came into its state. */
  tries: number
  /** Time since which it needs manual review. */
  needsReviewAt: Date | null
}

/**
 * By what a bank is to know an attempt: twenty capital letters and digits, which every bank takes. An id alone would not
 * do: ids begin anew in every database, and after a restore, and a bank would find an old charge by the name of a new one.
 */
export function newReference(id: number, random: Random): string {
  const ending = [...random.bytes(6)].map((byte) => (byte % 32).toString(32)).join('')
  return `${id}${ending.toUpperCase()}`
}

/** The amount that the bank has charged, as far as we know. */
export function amountChargedAtBank({ bankChargedMinor, chargedMinor }: Attempt): number {
  return bankChargedMinor ?? chargedMinor
}
