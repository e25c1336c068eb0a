const regionNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
const currencies = new Set(Intl.supportedValuesOf('currency'))

/** Codes that name no country: unions, unknown regions and the ones set aside for private use. */
const notCountries = /^(?:AA|E[UZ]|Q[M-Z]|UN|X[A-JL-Z]|ZZ)$/

/** Whether it is an ISO 3166-1 alpha-2 code, in upper case. */
export function isCountry(code: string): boolean {
  return /^[A-Z]{2}$/.test(code) && !notCountries.test(code) && regionNames.of(code) !== undefined
}

/** Whether it is an ISO 4217 code, in upper case, whose minor unit has the two digits that all our amounts have. */
export function isTwoDigitCurrency(code: string): boolean {
  if (!currencies.has(code)) return false
  const format = new Intl.NumberFormat('en', { style: 'currency', currency: code })
  return format.resolvedOptions().maximumFractionDigits === 2
}
