import type { Asset } from '../../../kit/http/bundle.ts'
import { buildAsset, nameWithHash } from '../../../kit/http/bundle.ts'
import { countryCodes } from '../../../kit/money/countries-and-currencies.ts'
import type { Language } from '../../../kit/text/locale.ts'
import { languages } from '../../../kit/text/locale.ts'
import { examplePhone } from '../../../kit/text/phone.ts'
import { perLanguage } from '../texts/part.ts'
import { interpolate, pageTexts } from '../texts/texts.ts'

/** Country as the page offers it: its code, its name and the hint for its phone numbers. */
export type CountryRow = readonly [code: string, name: string, phoneHint: string]

/** Names of the service and not of the browser, because browsers differ. */
const names = perLanguage((language) => new Intl.DisplayNames(language, { type: 'region' }))

export function countryName(code: string, language: Language): string {
  return names[language].of(code) ?? code
}

/** Example of a phone number as dialled in this country; empty if none is known. */
export function phoneHint(code: string, language: Language): string {
  const example = examplePhone(code)
  return example === undefined ? '' : interpolate(pageTexts.phoneForm[language], { example })
}

/** Countries in the order of the language's alphabet. */
export function countryRows(language: Language): CountryRow[] {
  const { compare } = new Intl.Collator(language)
  return [...countryCodes]
    .map((code) => [code, countryName(code, language), phoneHint(code, language)] as const)
    .sort(([, one], [, other]) => compare(one, other))
}

/** One list per language. The page loads it only if it asks for the payer's details. */
export function countryListAssets(): Asset[] {
  return languages.map((language) => {
    const bytes = Buffer.from(JSON.stringify(countryRows(language)))
    const name = `countries-${language}.json`
    return buildAsset(nameWithHash(name, bytes), name, bytes)
  })
}
