import type { RowOf } from '../../../kit/runtime/table.ts'
import { bigint, defineMerchantTable, integer, jsonb, text, timestamptz } from '../../../kit/runtime/table.ts'
import type { BankReferences, DeclineReason } from '../../connectors/index.ts'
import type { Attempt } from './attempt.ts'
import { amountChargedAtBank } from './attempt.ts'
import type { Payment } from './payment.ts'

/** Change of an approved charge at the bank: capture or release a hold, or refund. */
export type ModificationKind = 'capture' | 'release' | 'refund'

/**
 * Operation requested from the bank. A void releases a hold, and can also refund a charge of the same day.
 */
export const bankOperations = ['capture', 'void', 'refund'] as const

export type BankOperation = (typeof bankOperations)[number]

export type ModificationState = 'doing' | 'done' | 'refused'

export const modifications = defineMerchantTable('modifications', {
  merchantId: bigint(),
  id: bigint(),
  paymentId: bigint(),
  attemptId: bigint(),
  posId: bigint(),
  kind: text<ModificationKind>(),
  /** Refund that the modification executes. */
  refundId: bigint().orNull(),
  /** Amount to capture, release or refund. */
  amountMinor: bigint(),
  /** Amount of the charge refunded before. */
  priorRefundedMinor: bigint(),
  state: text<ModificationState>(),
  /** Number of changes. */
  version: integer(),
  /** Last operation requested from the bank. */
  operation: text<BankOperation>().orNull(),
  beganAt: timestamptz(),
  /** Time of that request. */
  askedAt: timestamptz().orNull(),
  endedAt: timestamptz().orNull(),
  code: text().orNull(),
  message: text().orNull(),
  declineReason: text<DeclineReason>().orNull(),
  bankReferences: jsonb<BankReferences>().orNull(),
  /** Time at which the bank must be asked again. */
  dueAt: timestamptz().orNull(),
  /** Times that it was processed without a result. */
  tries: integer(),
  /** Start of the manual review. */
  needsReviewAt: timestamptz().orNull(),
})

/** A capture, release or refund of an approved charge at the bank. */
export type Modification = RowOf<typeof modifications> & {
  /** Amount at the bank, if verification found a different one. */
  bankAmountMinor: number | null
}

/** A modification with its payment and its approved attempt, read together. */
export interface ModificationWithPayment {
  payment: Payment
  attempt: Attempt
  modification: Modification
}

/** A new modification, due immediately. A capture or release is of the whole charge. */
export function newModification(
  { merchantId, paymentId, id, posId, chargedMinor }: Attempt,
  given: { id: number } & (
    | { kind: 'capture' | 'release' }
    | ({ kind: 'refund' } & Pick<Modification, 'refundId' | 'amountMinor' | 'priorRefundedMinor'>)
  ),
  now: Date,
): Modification {
  return {
    ...modifications.nulls,
    ...{ merchantId, paymentId, attemptId: id, posId },
    ...{ amountMinor: chargedMinor, priorRefundedMinor: 0 },
    ...given,
    bankAmountMinor: null,
    state: 'doing',
    version: 1,
    beganAt: now,
    dueAt: now,
    tries: 0,
  }
}

/** True if the whole charge is refunded with this modification. */
export function completesFullRefund({ modification, attempt }: ModificationWithPayment): boolean {
  return modification.priorRefundedMinor + modification.amountMinor === amountChargedAtBank(attempt)
}

/** Sum that the bank refunded by these modifications, as far as known. */
export function totalRefundedByBank(modifications: readonly Modification[]): number {
  return modifications
    .filter(({ kind, state }) => kind === 'refund' && state === 'done')
    .reduce((sum, { bankAmountMinor, amountMinor }) => sum + (bankAmountMinor ?? amountMinor), 0)
}

/** True if the bank certainly has not done it: it was never asked, or its last answer was a refusal. */
export function isCertainlyNotDone({ askedAt, declineReason }: Modification): boolean {
  // After a duplicate reference an earlier request may have been executed.
  return askedAt === null || (declineReason !== null && declineReason !== 'duplicate_reference')
}

/** True if the bank may be modifying the charge now, or may have done so with an unknown outcome. */
export function hasInFlightModification(modifications: readonly Modification[]): boolean {
  return modifications.some(
    (modification) => modification.state === 'doing' && !isCertainlyNotDone(modification),
  )
}

/** True if the bank refused because its day has not ended. */
export function waitsForBankDayEnd({ declineReason }: Pick<Modification, 'declineReason'>): boolean {
  return declineReason === 'not_settled_yet'
}

/** Text for operators: the reason for which a refund is still open. */
export function refundWaitText(refund: {
  state: string
  dueAt: Date | null
  declineReason: Modification['declineReason']
}): string {
  if (refund.state === 'under_review') return refund.dueAt ? 'the rules' : 'a manual review'
  return modificationWaitReason(refund)
}

/** Text for operators: the reason for which a modification is still open. */
function modificationWaitReason(modification: Pick<Modification, 'declineReason'>): string {
  return waitsForBankDayEnd(modification) ? 'the end of the bank’s day' : 'the bank’s answer'
}

/** Time of the charge by our clock. For a hold, the time of the hold until it is captured, then of the capture. */
export function chargeTakenAt({
  payment,
  attempt,
}: Pick<ModificationWithPayment, 'payment' | 'attempt'>): Date {
  return payment.endedAt ?? attempt.endedAt ?? attempt.beganAt
}

/** True if it refunds a surplus by a manual decision and has not ended. */
export function isOpenSurplusRefund({ kind, refundId, state }: Modification): boolean {
  return kind === 'refund' && refundId === null && state === 'doing'
}
