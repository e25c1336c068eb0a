import { lazily } from '../runtime/lazy.ts'
import type { LocalizedText } from '../text/locale.ts'

/**
 * The currencies of ISO 4217 in use whose minor unit has two digits. `Intl` cannot be asked: it knows withdrawn ones and
 * gold too, and tells how many digits people write, which for some are fewer.
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

/** Codes that name no country: unions, unknown regions, single islands, and the ones set aside for private use. */
const notCountries = /^(?:A[AC]|C[PQ]|DG|E[AUZ]|IC|Q[M-Z]|TA|UN|X[A-JL-Z]|ZZ)$/

/** Every ISO 3166-1 alpha-2 code, and XK, which has none of its own but phones of its own. */
export const getCountryCodes = lazily((): ReadonlySet<string> => {
  const regionNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  return new Set(allCodes().filter((code) => isNamed(code, regionNames)))
})

/** A code as it was sent, in capitals. Of ASCII alone: ß would become SS, which is a country. */
export function upperCaseAscii(code: string): string {
  return code.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase())
}

/** Whether it is the code of a country, in upper case. */
export function isCountry(code: string): boolean {
  return getCountryCodes().has(code)
}

/** A code that was withdrawn, as SU, still has a name but stands for another one. */
function isNamed(code: string, regionNames: Intl.DisplayNames): boolean {
  if (notCountries.test(code) || regionNames.of(code) === undefined) return false
  return new Intl.Locale(`und-${code}`).region === code
}

function allCodes(): string[] {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  return letters.flatMap((first) => letters.map((second) => first + second))
}

/** Whether it is an ISO 4217 code, in upper case, whose minor unit has the two digits that all our amounts have. */
export function isTwoDecimalCurrency(code: string): boolean {
  return twoDigitCurrencies.has(code)
}

/** A country in either case. */
export function parseCountryField(text: string): { value: string } | LocalizedText {
  const code = upperCaseAscii(text)
  return isCountry(code) ? { value: code } : notCountry
}

/** A currency in either case. */
export function parseCurrencyField(text: string): { value: string } | LocalizedText {
  const code = upperCaseAscii(text)
  return isTwoDecimalCurrency(code) ? { value: code } : notCurrency
}

const notCountry: LocalizedText = {
  tr: 'İki harfli bir ISO 3166-1 ülke kodu olmalıdır, örneğin TR.',
  en: 'Must be an ISO 3166-1 country code, for example TR.',
}

const notCurrency: LocalizedText = {
  tr: 'Ondalık kısmı iki basamaklı bir ISO 4217 para birimi kodu olmalıdır, örneğin TRY.',
  en: 'Must be an ISO 4217 currency whose minor unit has two digits, for example TRY.',
}
