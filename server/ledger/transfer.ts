/**
 * The accounts of a merchant in one currency. What the bank owes for its payments is receivable; of that the bank keeps
 * the commission, and the rest is the merchant's balance.
 */
export const accounts = ['balance', 'receivable', 'commission'] as const

export type Account = (typeof accounts)[number]

/** Why something is posted. */
export const reasons = ['payment', 'commission'] as const

/** An amount that moves from the account that it credits to the one that it debits. */
export interface Transfer {
  id: number
  /** What it was posted for. The same cause is posted once, whoever tries again. */
  cause: string
  reason: (typeof reasons)[number]
  paymentId: number
  currency: string
  debit: Account
  credit: Account
  amountMinor: number
  at: Date
}

/** What was taken of a payer, and what of it the bank keeps. */
export interface Taking {
  paymentId: number
  currency: string
  chargedMinor: number
  commissionMinor: number
}

type Posting = Omit<Transfer, 'id' | 'at'>

/** What is posted when a payment is taken: all that the bank owes, split between the merchant and the bank itself. */
export function postingsOfTaking(taking: Taking): Posting[] {
  const { paymentId, currency, chargedMinor, commissionMinor } = taking
  const of = (reason: Posting['reason'], credit: Account, amountMinor: number): Posting[] =>
    amountMinor === 0
      ? []
      : [
          {
            cause: `${reason} ${paymentId}`,
            reason,
            paymentId,
            currency,
            debit: 'receivable',
            credit,
            amountMinor,
          },
        ]
  return [
    ...of('payment', 'balance', chargedMinor - commissionMinor),
    ...of('commission', 'commission', commissionMinor),
  ]
}
