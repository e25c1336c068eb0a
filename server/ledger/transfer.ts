import type { RowOf } from '../../kit/runtime/table.ts'
import { bigint, defineMerchantTable, text, timestamptz } from '../../kit/runtime/table.ts'

/**
 * Accounts of a merchant in one currency.
 * - receivable: the bank's debt for payments
 * - commission: the part of it that the bank keeps
 * - balance: the rest, which is the merchant's
 * - differences: amounts that a bank charged or refunded beyond or below the requested amount, until they are
 * settled manually
 */
export const accounts = ['balance', 'receivable', 'commission', 'differences'] as const

export type Account = (typeof accounts)[number]

/** Reasons for a posting, with the debited and credited accounts. */
export const postingRules = {
  payment: { debit: 'receivable', credit: 'balance', of: 'payment' },
  commission: { debit: 'receivable', credit: 'commission', of: 'payment' },
  refund: { debit: 'balance', credit: 'receivable', of: 'refund' },
  refund_commission: { debit: 'commission', credit: 'receivable', of: 'refund' },
  surplus: { debit: 'receivable', credit: 'differences', of: 'operation' },
  shortfall: { debit: 'differences', credit: 'receivable', of: 'operation' },
  surplus_returned: { debit: 'differences', credit: 'receivable', of: 'operation' },
  shortfall_cleared: { debit: 'receivable', credit: 'differences', of: 'operation' },
} as const satisfies Record<
  string,
  { debit: Account; credit: Account; of: 'payment' | 'refund' | 'operation' }
>

export type PostingReason = keyof typeof postingRules

export const postingReasons = Object.keys(postingRules) as PostingReason[]

export const ledgerTransfers = defineMerchantTable('ledger_transfers', {
  merchantId: bigint(),
  id: bigint(),
  /** Key of the posting. Each cause is posted once, even after a retry. */
  cause: text(),
  reason: text<PostingReason>(),
  paymentId: bigint(),
  refundId: bigint().orNull(),
  currency: text(),
  debit: text<Account>(),
  credit: text<Account>(),
  amountMinor: bigint(),
  createdAt: timestamptz(),
  /** Time from which the merchant can use the amount; null means immediately. */
  availableAt: timestamptz().orNull(),
})

/** An amount that moves from the credited account to the debited account. */
export type Transfer = Omit<RowOf<typeof ledgerTransfers>, 'merchantId' | 'availableAt'> & {
  /**
   * A refund follows its payment: while the payment is pending it reduces the pending amount, afterwards the
   * available amount.
   */
  availableAt: Date | null | 'with its payment'
}

/** Amount charged to a payer, and the bank's commission in it. */
export interface LedgerPayment {
  paymentId: number
  currency: string
  chargedMinor: number
  commissionMinor: number
}

export type Posting = Omit<Transfer, 'id' | 'createdAt' | 'availableAt'>

/** Postings of a charge: the bank's debt, split between the merchant and the commission. */
export function postingsOfPayment(payment: LedgerPayment): Posting[] {
  const { chargedMinor, commissionMinor } = payment
  return [
    ...posting('payment', payment, chargedMinor - commissionMinor),
    ...posting('commission', payment, commissionMinor),
  ]
}

/** Postings of an executed refund: the merchant and the commission each return their share. */
export function postingsOfRefund(refund: LedgerPayment & { refundId: number }): Posting[] {
  const { chargedMinor, commissionMinor } = refund
  return [
    ...posting('refund', refund, chargedMinor - commissionMinor),
    ...posting('refund_commission', refund, commissionMinor),
  ]
}

/** A charge or a refund for which the bank's amount and the ledger differ, or differed. */
export interface AmountDifference {
  paymentId: number
  refundId: number | null
  /** Id of the attempt or the modification. */
  operationId: number
  currency: string
}

/** Postings for a bank amount above or below the ledger. */
export function postingsOfDifference({
  surplusMinor,
  ...of
}: AmountDifference & { surplusMinor: number }): Posting[] {
  return posting(surplusMinor > 0 ? 'surplus' : 'shortfall', of, Math.abs(surplusMinor))
}

/** Postings for a refund above or below the ledger amount that settles a difference. */
export function postingsOfSurplusRefund({
  surplusRefundedMinor: minor,
  ...of
}: AmountDifference & { surplusRefundedMinor: number }): Posting[] {
  return posting(minor > 0 ? 'surplus_returned' : 'shortfall_cleared', of, Math.abs(minor))
}

type PostingSubject = Pick<AmountDifference, 'paymentId' | 'currency'> & Partial<AmountDifference>

function posting(reason: PostingReason, of: PostingSubject, amountMinor: number): Posting[] {
  if (amountMinor === 0) return []
  const { paymentId, currency, refundId = null, operationId } = of
  const { debit, credit } = postingRules[reason]
  return [
    {
      cause: `${reason} ${operationId ?? refundId ?? paymentId}`,
      reason,
      paymentId,
      refundId,
      currency,
      debit,
      credit,
      amountMinor,
    },
  ]
}
