export type Scheme = 'visa' | 'mastercard' | 'amex' | 'troy' | 'other'

/** Final statuses of an authentication. */
export type FinalStatus = 'Y' | 'A' | 'N' | 'U' | 'R' | 'I'

export function schemeOf(number: string): Scheme {
  if (number.startsWith('4')) return 'visa'
  if (/^3[47]/.test(number)) return 'amex'
  if (/^(?:9792|65)/.test(number)) return 'troy'
  const first = Number(number.slice(0, 4))
  return /^5[1-5]/.test(number) || (first >= 2221 && first <= 2720) ? 'mastercard' : 'other'
}

/** ECI values of Visa and most other schemes, then of Mastercard. */
const maxSchemes = { Y: '05', A: '06', N: '07', U: '07', R: '07', I: '07' }
const mastercard = { Y: '02', A: '01', N: '00', U: '00', R: '00', I: '06' }

/** TROY publishes no ECI values; Turkish banks treat it like Mastercard. */
const ecis: Record<Scheme, Record<FinalStatus, string>> = {
  visa: maxSchemes,
  amex: maxSchemes,
  other: maxSchemes,
  mastercard,
  troy: mastercard,
}

/** ECI of a status in a scheme. Mastercard has a separate value for data share only. */
export function eciFor(scheme: Scheme, status: FinalStatus, isDataOnly = false): string {
  return isDataOnly && scheme === 'mastercard' ? '04' : ecis[scheme][status]
}
