const regionNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
const currencies = new Set(Intl.supportedValuesOf('currency'))

/** Codes that name no country: unions, unknown regions, single islands, and the ones set aside for private use. */
const notCountries = /^(?:A[AC]|C[PQ]|DG|E[AUZ]|IC|Q[M-Z]|TA|UN|X[A-JL-Z]|ZZ)$/

/** Every ISO 3166-1 alpha-2 code, and XK, which has none of its own but phones of its own. */
export const countries: ReadonlySet<string> = new Set(allCodes().filter(isNamed))

/** Whether it is the code of a country, in upper case. */
export function isCountry(code: string): boolean {
  return countries.has(code)
}

/** A code that was withdrawn, as SU, still has a name but stands for another one. */
function isNamed(code: string): boolean {
  if (notCountries.test(code) || regionNames.of(code) === undefined) return false
  return new Intl.Locale(`und-${code}`).region === code
}

function allCodes(): string[] {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  return letters.flatMap((first) => letters.map((second) => first + second))
}

/** Whether it is an ISO 4217 code, in upper case, whose minor unit has the two digits that all our amounts have. */
export function isTwoDigitCurrency(code: string): boolean {
  if (!currencies.has(code)) return false
  const format = new Intl.NumberFormat('en', { style: 'currency', currency: code })
  return format.resolvedOptions().maximumFractionDigits === 2
}
