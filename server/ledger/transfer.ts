/**
 * The accounts of a merchant in one currency. What the bank owes for its payments is receivable; of that the bank keeps
 * the commission, and the rest is the merchant's balance.
 */
export const accounts = ['balance', 'receivable', 'commission'] as const

export type Account = (typeof accounts)[number]

/** Why something is posted, and between which accounts that moves. */
export const ways = {
  payment: { debit: 'receivable', credit: 'balance', ofRefund: false },
  commission: { debit: 'receivable', credit: 'commission', ofRefund: false },
  refund: { debit: 'balance', credit: 'receivable', ofRefund: true },
  refund_commission: { debit: 'commission', credit: 'receivable', ofRefund: true },
} as const satisfies Record<string, { debit: Account; credit: Account; ofRefund: boolean }>

export type Reason = keyof typeof ways

export const reasons = Object.keys(ways) as Reason[]

/** An amount that moves from the account that it credits to the one that it debits. */
export interface Transfer {
  id: number
  /** What it was posted for. The same cause is posted once, whoever tries again. */
  cause: string
  reason: Reason
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
export interface Taking {
  paymentId: number
  currency: string
  chargedMinor: number
  commissionMinor: number
}

/** What is given back to a payer, and what of it the bank had kept. */
export interface GivingBack extends Taking {
  refundId: number
}

export type Posting = Omit<Transfer, 'id' | 'availableAt' | 'at'>

/** What is posted when a payment is taken: all that the bank owes, split between the merchant and the bank itself. */
export function postingsOfTaking(taking: Taking): Posting[] {
  const { chargedMinor, commissionMinor } = taking
  return [
    ...posting('payment', taking, chargedMinor - commissionMinor),
    ...posting('commission', taking, commissionMinor),
  ]
}

/** What is posted when a refund is executed: what is given back, each of both giving back its part. */
export function postingsOfRefund(given: GivingBack): Posting[] {
  const { chargedMinor, commissionMinor } = given
  return [
    ...posting('refund', given, chargedMinor - commissionMinor),
    ...posting('refund_commission', given, commissionMinor),
  ]
}

function posting(reason: Reason, of: Taking & { refundId?: number }, amountMinor: number): Posting[] {
  if (amountMinor === 0) return []
  const { paymentId, currency, refundId = null } = of
  const { debit, credit } = ways[reason]
  return [
    {
      cause: `${reason} ${refundId ?? paymentId}`,
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
