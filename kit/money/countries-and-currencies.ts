import { lazily } from '../runtime/lazy.ts'
import type { LocalizedText } from '../text/locale.ts'

/**
 * The ISO 4217 currencies in use with a two-digit minor unit. `Intl` is no source: it lists withdrawn
 * currencies and gold, and reports the digits people write, which are sometimes fewer.
 */
const twoDigitCurrencies = new Set(
  [
    'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY',
    'COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS',
    'INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR',
    'MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP',
    'STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG',
  ].flatMap((line) => line.split(' ')),
)

/** Codes that are not countries: unions, unknown regions, single islands and private-use codes. */
const notCountries = /^(?:A[AC]|C[PQ]|DG|E[AUZ]|IC|Q[M-Z]|TA|UN|X[A-JL-Z]|ZZ)$/

/** Every ISO 3166-1 alpha-2 code and XK. XK is not in the standard but has its own calling code. */
export const getCountryCodes = lazily((): ReadonlySet<string> => {
  const regionNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  return new Set(allCodes().filter((code) => isNamed(code, regionNames)))
})

/** The code in upper case, ASCII only: ß would become SS, which is a country. */
export function upperCaseAscii(code: string): string {
  return code.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase())
}

/** True for a country code in upper case. */
export function isCountry(code: string): boolean {
  return getCountryCodes().has(code)
}

/** A withdrawn code such as SU still has a name, but resolves to another code. */
function isNamed(code: string, regionNames: Intl.DisplayNames): boolean {
  if (notCountries.test(code) || regionNames.of(code) === undefined) return false
  return new Intl.Locale(`und-${code}`).region === code
}

function allCodes(): string[] {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  return letters.flatMap((first) => letters.map((second) => first + second))
}

/** True for an ISO 4217 code in upper case with a two-digit minor unit, as all our amounts have. */
export function isTwoDecimalCurrency(code: string): boolean {
  return twoDigitCurrencies.has(code)
}

/** Parses a country code in upper or lower case. */
export function parseCountryField(text: string): { value: string } | LocalizedText {
  const code = upperCaseAscii(text)
  return isCountry(code) ? { value: code } : notCountry
}

/** Parses a currency code in upper or lower case. */
export function parseCurrencyField(text: string): { value: string } | LocalizedText {
  const code = upperCaseAscii(text)
  return isTwoDecimalCurrency(code) ? { value: code } : notCurrency
}

const notCountry: LocalizedText = {
  tr: 'İki harfli bir ISO 3166-1 ülke kodu olmalıdır, örneğin TR.',
  en: 'Must be a two-letter ISO 3166-1 country code, for example TR.',
}

const notCurrency: LocalizedText = {
  tr: 'Ondalık kısmı iki basamaklı bir ISO 4217 para birimi kodu olmalıdır, örneğin TRY.',
  en: 'Must be an ISO 4217 currency code whose minor unit has two digits, for example TRY.',
}
