import type { SecretPan } from '../../../kit/money/card.ts'
import type { CardKind } from '../../bins/index.ts'

/** A scheme of cards, as the table of BINs names them. */
export type CardScheme = CardKind['brand']

/** What a scheme writes beside a status. The first is the usual one. */
interface SchemeEcis {
  Y: readonly string[]
  A: readonly string[]
  /** For everything that is not proven. */
  none: string
}

const asVisa: SchemeEcis = { Y: ['05'], A: ['06'], none: '07' }
/** 07 is the first of recurring payments, which the holder has confirmed. */
const asMastercard: SchemeEcis = { Y: ['02', '07'], A: ['01'], none: '00' }

/**
 * The same two digits mean opposite things at two schemes, so a status is never derived from them. Troy publishes none:
 * that it writes what Mastercard does is the custom of Turkish gateways and unverified.
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

/** What a scheme usually writes beside a status. */
export function expectedEci(status: 'Y' | 'A' | 'N' | 'U' | 'R' | 'I', scheme: CardScheme): string {
  const { Y, A, none } = ecis[scheme]
  const [usual = none] = status === 'Y' ? Y : status === 'A' ? A : []
  return usual
}

/** Whether an ECI says something else than the status beside it. Of a scheme that is not known nothing contradicts. */
export function eciContradictsStatus({
  status,
  eci,
  scheme,
}: {
  status: 'Y' | 'A'
  eci: string
  scheme: CardScheme | undefined
}): boolean {
  return scheme !== undefined && !ecis[scheme][status].includes(eci)
}

/** First digits by scheme. 65 is missing on purpose: both Troy and Discover have cards there, and they differ. */
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

/** The scheme of a card by its number alone, for cards that are in no table of BINs. */
export function cardSchemeOfPan(pan: SecretPan): CardScheme | undefined {
  const digits = pan.reveal()
  return beginnings.find(([, beginning]) => beginning.test(digits))?.[0]
}
