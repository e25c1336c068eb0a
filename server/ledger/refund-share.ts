import { proportionalAmount } from '../../kit/money/percentage.ts'

/** What the merchant asked for, what the payer was charged for it, and what of that the bank kept. */
export interface ChargeAmounts {
  amountMinor: number
  chargedMinor: number
  commissionMinor: number
}

/**
 * What a refund gives back of a charge, after others have given back so much of its amount: what the payer gets, and what
 * of that the bank had kept. Guarantee: all refunds of an amount add up to its charge and to its commission, however it is
 * split; none of them gives back less than nothing, nor more commission than charge.
 *
 * Each is the difference of two sums, of all that was given back afterwards and of all that was before. So what rounding
 * has taken from one refund the next one has, and nothing is left when all is given back.
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
