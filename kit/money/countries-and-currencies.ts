import type { LocalizedText } from '../text/locale.ts'
import { countryNumbers, currencyNumbers } from './iso-numeric-codes.ts'

/** Every ISO 3166-1 alpha-2 code and XK. XK is not in the standard but has its own calling code. */
export const countryCodes: ReadonlySet<string> = new Set([...countryNumbers.keys(), 'XK'])

/** The code in upper case, ASCII only: ß would become SS, which is a country. */
export function upperCaseAscii(code: string): string {
  return code.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase())
}

export function isCountry(code: string): boolean {
  return countryCodes.has(code)
}

/** True for an ISO 4217 code in upper case with a two-digit minor unit, as all our amounts have. */
export function isTwoDecimalCurrency(code: string): boolean {
  return currencyNumbers.has(code)
}

export function parseCountryField(text: string): { value: string } | LocalizedText {
  const code = upperCaseAscii(text)
  return isCountry(code) ? { value: code } : notCountry
}

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
