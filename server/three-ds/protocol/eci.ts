import type { SecretPan } from '../../../kit/money/card.ts'
import type { CardKind } from '../../bins/index.ts'

/** Card scheme, named as in the BIN table. */
export type CardScheme = CardKind['brand']

/** ECIs that a scheme sends with a status. */
interface SchemeEcis {
  Y: readonly string[]
  A: readonly string[]
  /** ECI of an unauthenticated payment. */
  none: string
}

const asVisa: SchemeEcis = { Y: ['05'], A: ['06'], none: '07' }
/** 07 marks the first of several recurring payments, authenticated by the cardholder. */
const asMastercard: SchemeEcis = { Y: ['02', '07'], A: ['01'], none: '00' }

/**
 * ECIs by scheme. One ECI can mean opposite things in two schemes, so a status is never derived from it. Troy
 * publishes no ECIs: Turkish gateways use those of Mastercard, which is unverified.
 */
const ecis: Readonly<Record<CardScheme, SchemeEcis>> = {
  visa: asVisa,
  amex: asVisa,
  jcb: asVisa,
  diners: asVisa,
  discover: asVisa,
  unionpay: asVisa,
  mastercard: asMastercard,
  maestro: asMastercard,
  troy: asMastercard,
}

/** ECI of a scheme for an unauthenticated payment. */
export function unauthenticatedEci(scheme: CardScheme): string {
  return ecis[scheme].none
}

/** True if the ECI does not fit the status. Always false for an unknown scheme. */
export function eciContradictsStatus(
  status: 'Y' | 'A',
  eci: string,
  scheme: CardScheme | null | undefined,
): boolean {
  return !!scheme && !ecis[scheme][status].includes(eci)
}

/** First digits by scheme. 65 is left out: Troy and Discover both use it and have different ECIs. */
const beginnings: readonly (readonly [CardScheme, RegExp])[] = [
  ['visa', /^4/],
  ['mastercard', /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/],
  ['amex', /^3[47]/],
  ['troy', /^9792/],
  ['jcb', /^35(?:2[89]|[3-8])/],
  ['diners', /^3(?:0[0-5]|[689])/],
  ['unionpay', /^62/],
  ['discover', /^(?:6011|64[4-9])/],
  ['maestro', /^(?:50|5[678]|67|6304)/],
]

/** Scheme by card number alone, for cards that are not in the BIN table. */
export function cardSchemeOfPan(pan: SecretPan): CardScheme | undefined {
  const digits = pan.reveal()
  return beginnings.find(([, beginning]) => beginning.test(digits))?.[0]
}
