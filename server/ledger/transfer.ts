/**
 * The accounts of a merchant in one currency. What the bank owes for its payments is receivable; of that the bank keeps
 * the commission, and the rest is the merchant's balance. What a bank has of payers beyond that, because it took another
 * amount than it was asked for, is in differences until it is settled manually.
 */
export const accounts = ['balance', 'receivable', 'commission', 'differences'] as const

export type Account = (typeof accounts)[number]

/** Why something is posted, and between which accounts that moves. */
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

/** An amount that moves from the account that it credits to the one that it debits. */
export interface Transfer {
  id: number
  /** What it was posted for. The same cause is posted once, whoever tries again. */
  cause: string
  reason: PostingReason
  paymentId: number
  /** The refund that it is for, if it is for one. */
  refundId: number | null
  currency: string
  debit: Account
  credit: Account
  amountMinor: number
  /**
   * From when on the merchant can use what it moved; null where that is at once. What a refund gives back goes with its
   * payment: as long as that is to come it is taken from what is to come, and afterwards from what is there.
   */
  availableAt: Date | null | 'with its payment'
  at: Date
}

/** What was taken of a payer, and what of it the bank keeps. */
export interface LedgerPayment {
  paymentId: number
  currency: string
  chargedMinor: number
  commissionMinor: number
}

/** What is given back to a payer, and what of it the bank had kept. */
export interface LedgerRefund extends LedgerPayment {
  refundId: number
}

export type Posting = Omit<Transfer, 'id' | 'availableAt' | 'at'>

/** What is posted when a payment is taken: all that the bank owes, split between the merchant and the bank itself. */
export function postingsOfPayment(payment: LedgerPayment): Posting[] {
  const { chargedMinor, commissionMinor } = payment
  return [
    ...posting('payment', payment, chargedMinor - commissionMinor),
    ...posting('commission', payment, commissionMinor),
  ]
}

/** What is posted when a refund is executed: what is given back, each of both giving back its part. */
export function postingsOfRefund(refund: LedgerRefund): Posting[] {
  const { chargedMinor, commissionMinor } = refund
  return [
    ...posting('refund', refund, chargedMinor - commissionMinor),
    ...posting('refund_commission', refund, commissionMinor),
  ]
}

/** An amount of a charge or a refund by which a bank and our book differ, or differ no more. */
export interface AmountDifference {
  paymentId: number
  refundId: number | null
  /** The attempt or the modification that it is about. */
  operationId: number
  currency: string
}

/** The postings when a bank turns out to have so much more of a payer than our book, or less. */
export function postingsOfDifference(of: AmountDifference & { surplusMinor: number }): Posting[] {
  const { surplusMinor } = of
  return posting(surplusMinor > 0 ? 'surplus' : 'shortfall', of, Math.abs(surplusMinor))
}

/** The postings when a bank has given back so much more than our book, or less, to settle a difference. */
export function postingsOfSurplusRefund(of: AmountDifference & { surplusRefundedMinor: number }): Posting[] {
  const { surplusRefundedMinor } = of
  return posting(
    surplusRefundedMinor > 0 ? 'surplus_returned' : 'shortfall_cleared',
    of,
    Math.abs(surplusRefundedMinor),
  )
}

interface PostingSubject {
  paymentId: number
  currency: string
  refundId?: number | null
  operationId?: number
}

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
