import type { BankReferences, DeclineReason } from '../../connectors/index.ts'
import type { Attempt } from './attempt.ts'
import { amountChargedAtBank } from './attempt.ts'
import type { Payment } from './payment.ts'

/** What a bank can be asked to do to a charge that it approved: take what it holds, let go of it, or give back. */
export type ModificationKind = 'capture' | 'release' | 'refund'

/** What the bank is asked for to get it done: a hold is let go by a void, and so may be given back what was taken today. */
export const bankOperations = ['capture', 'void', 'refund'] as const

export type BankOperation = (typeof bankOperations)[number]

export type ModificationState = 'doing' | 'done' | 'refused'

/** Something that a bank is to do to a charge that it approved. */
export interface Modification {
  merchantId: number
  id: number
  paymentId: number
  attemptId: number
  posId: number
  kind: ModificationKind
  /** The refund that it carries out. */
  refundId: number | null
  /** What of the charge is taken, let go or given back. */
  amountMinor: number
  /** The amount at the bank, where verification has shown another one. */
  bankAmountMinor: number | null
  /** What of it was given back before. */
  priorRefundedMinor: number
  state: ModificationState
  /** How often anything about it has changed. */
  version: number
  /** What the bank was asked for last. */
  operation: BankOperation | null
  beganAt: Date
  /** When it was asked for that. */
  askedAt: Date | null
  endedAt: Date | null
  code: string | null
  message: string | null
  declineReason: DeclineReason | null
  bankReferences: BankReferences | null
  /** When the bank has to be asked again. */
  dueAt: Date | null
  /** How often it was asked in vain. */
  tries: number
  /** Time since which it needs manual review. */
  needsReviewAt: Date | null
}

/** A modification with the payment and the approved attempt that it is about, as they were read together. */
export interface ModificationWithPayment {
  payment: Payment
  attempt: Attempt
  modification: Modification
}

/** The subject of a new modification. */
export type ModificationDraft = Pick<
  Modification,
  'id' | 'kind' | 'refundId' | 'amountMinor' | 'priorRefundedMinor'
>

/** A modification that is to be done from now on. */
export function newModification(
  { merchantId, paymentId, id, posId }: Attempt,
  modification: ModificationDraft,
  now: Date,
): Modification {
  return {
    ...{ merchantId, paymentId, attemptId: id, posId },
    ...modification,
    bankAmountMinor: null,
    state: 'doing',
    version: 1,
    operation: null,
    beganAt: now,
    askedAt: null,
    endedAt: null,
    code: null,
    message: null,
    declineReason: null,
    bankReferences: null,
    dueAt: now,
    tries: 0,
    needsReviewAt: null,
  }
}

/** Whether all of the charge is given back with this one. */
export function completesFullRefund({ modification, attempt }: ModificationWithPayment): boolean {
  return modification.priorRefundedMinor + modification.amountMinor === amountChargedAtBank(attempt)
}

/** The sum that the bank has given back by these modifications, as far as we know. */
export function totalRefundedByBank(modifications: readonly Modification[]): number {
  return modifications
    .filter(({ kind, state }) => kind === 'refund' && state === 'done')
    .reduce((sum, { bankAmountMinor, amountMinor }) => sum + (bankAmountMinor ?? amountMinor), 0)
}

/** Whether the bank has not done it for certain: it was never asked, or refused it the last time. */
export function isCertainlyNotDone({ askedAt, declineReason }: Modification): boolean {
  // A bank that knows the question from before may have done it then.
  return askedAt === null || (declineReason !== null && declineReason !== 'duplicate_reference')
}

/** Whether the bank may be doing something to the charge, or may have done it with an unknown outcome. */
export function hasInFlightModification(modifications: readonly Modification[]): boolean {
  return modifications.some(
    (modification) => modification.state === 'doing' && !isCertainlyNotDone(modification),
  )
}

/** Whether the bank has said that it cannot do it before its day has ended. */
export function waitsForBankDayEnd({ declineReason }: Pick<Modification, 'declineReason'>): boolean {
  return declineReason === 'not_settled_yet'
}

/** Text for operators about what an open refund waits for. */
export function refundWaitText(refund: {
  state: string
  dueAt: Date | null
  declineReason: Modification['declineReason']
}): string {
  if (refund.state === 'under_review') return refund.dueAt ? 'the rules' : 'a manual review'
  return modificationWaitReason(refund)
}

/** Text for operators about what an open modification waits for. */
function modificationWaitReason(modification: Pick<Modification, 'declineReason'>): string {
  return waitsForBankDayEnd(modification) ? 'the end of the bank’s day' : 'the bank’s answer'
}

/** The moment at which the charge was taken, by our clock: a hold by its capture. */
export function chargeTakenAt({
  payment,
  attempt,
}: Pick<ModificationWithPayment, 'payment' | 'attempt'>): Date {
  return payment.endedAt ?? attempt.endedAt ?? attempt.beganAt
}

/** Whether it gives back a surplus by a manual decision, and is not done yet. */
export function isOpenSurplusRefund({ kind, refundId, state }: Modification): boolean {
  return kind === 'refund' && refundId === null && state === 'doing'
}
