import { proportionalAmount } from '../../kit/money/percentage.ts'

/** Amount the merchant asked for, amount the payer was charged, and commission that the bank kept. */
export interface ChargeAmounts {
  amountMinor: number
  chargedMinor: number
  commissionMinor: number
}

/**
 * Share of a charge that a refund returns, after earlier refunds of `refundedBeforeMinor`: the amount for the
 * payer, and the commission in it. Guarantee: all refunds of an amount add up to its charge and to its
 * commission, however it is split. No share is negative, and no share has more commission than charge.
 *
 * Each share is the difference of two cumulative sums: after this refund and before it. The next refund
 * therefore receives any rounding remainder, and nothing is left after the last one.
 */
export function refundShareOf(
  charge: ChargeAmounts,
  refundedBeforeMinor: number,
  refundMinor: number,
): Pick<ChargeAmounts, 'chargedMinor' | 'commissionMinor'> {
  const before = refundShareUpTo(charge, refundedBeforeMinor)
  const after = refundShareUpTo(charge, refundedBeforeMinor + refundMinor)
  return {
    chargedMinor: after.chargedMinor - before.chargedMinor,
    commissionMinor: after.commissionMinor - before.commissionMinor,
  }
}

function refundShareUpTo(
  { amountMinor, chargedMinor, commissionMinor }: ChargeAmounts,
  refundedMinor: number,
) {
  if (refundedMinor > amountMinor) throw new Error('a refund is larger than its payment')
  const givenMinor = proportionalAmount(chargedMinor, refundedMinor, amountMinor)
  return {
    chargedMinor: givenMinor,
    commissionMinor: proportionalAmount(commissionMinor, givenMinor, chargedMinor),
  }
}
