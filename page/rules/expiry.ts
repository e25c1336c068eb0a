import { asciiDigits, digitsOf } from './digits.ts'

/** Longest validity of a card. */
const longestYears = 20

/**
 * Formats a typed expiry as on the card: `12/30`. Accepts a month without zero, a year with four digits, and
 * the forms `12 / 2030` and `2030-12` that browsers fill in. Does not complete a text while it is being
 * deleted.
 */
export function slashedExpiry(typed: string, isDeleting: boolean): string {
  const text = asciiDigits(typed).trim()
  const turned = /^(20\d\d)\D*(\d\d?)$/.exec(text)
  if (turned && !isDeleting) return slashedExpiry(`${turned[2]}/${turned[1]}`, false)
  const [, left = '', separator = '', right = ''] = /^(\d*)(\D*)(.*)$/s.exec(text) ?? []
  const { month, year } = partsOf(left, separator, digitsOf(right), isDeleting)
  if (year !== '') return `${month}/${year}`
  return separator !== '' && month !== '' && !isDeleting ? `${month}/` : month
}

function partsOf(left: string, separator: string, right: string, isDeleting: boolean) {
  const isShort = separator === '' ? /^[2-9]/.test(left) : /^[1-9]$/.test(left)
  const months = isShort && !isDeleting ? `0${left}` : left
  // Digits beyond the month belong to the year.
  const month = months.slice(0, 2)
  const years = months.slice(2) + right
  const year = years.startsWith('20') ? years.slice(0, 4) : years.slice(0, 2)
  return { month, year: year.length === 4 ? year.slice(2) : year }
}

/** Fault of the expiry by the service's clock, if any. */
export function expiryError(typed: string, now: Date): 'expiry' | 'expired' | undefined {
  const [, months, years] = /^(\d\d?)\/(\d\d)$/.exec(slashedExpiry(typed, false)) ?? []
  const month = Number(months ?? 0)
  const year = 2000 + Number(years)
  if (month < 1 || month > 12 || year > now.getUTCFullYear() + longestYears) return 'expiry'
  // Same rule as in the service: a card is valid until its month is over everywhere on earth.
  return now.getTime() < Date.UTC(year, month, 1, 12) ? undefined : 'expired'
}
