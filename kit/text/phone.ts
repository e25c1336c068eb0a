import type { CountryCode } from 'libphonenumber-js/max'
import { lazyPackage } from '../runtime/lazy.ts'
import type { LocalizedText } from './locale.ts'

const examples = lazyPackage<Record<string, string | undefined>>('libphonenumber-js/mobile/examples')
const phones = lazyPackage<typeof import('libphonenumber-js/max')>('libphonenumber-js/max')

/** A phone number that exists in some numbering plan. */
export interface Phone {
  /** `+905321234567` */
  e164: string
  /** The number as dialled within its country, without the leading zero. */
  national: string
  /** Undefined for numbers without a country, for example satellite phones. */
  country: string | undefined
}

/** Length as typed, including separators. */
export const maxPhoneLength = 40

const notPhone: LocalizedText = {
  tr: 'Uluslararası biçimde geçerli bir telefon numarası olmalıdır, örneğin +905321234567.',
  en: 'Must be a valid phone number in international format, for example +905321234567.',
}

/** Territories without permanent residents, served by another country's numbering plan. */
const borrowedCodes: Readonly<Record<string, string>> = {
  AQ: '672',
  BV: '47',
  GS: '500',
  HM: '672',
  PN: '64',
  TF: '262',
  UM: '1',
}

/** Islands with their own prefix that ISO 3166-1 counts as parts of Saint Helena. */
const partsOf: Readonly<Record<string, string>> = { AC: 'SH', TA: 'SH' }

/**
 * Parses a number in international format: with a plus or with 00. A plus that was not encoded arrives as a
 * space in forms and queries, so a leading space is read as a plus.
 */
export function parsePhoneField(value: string, raw: string): { value: Phone } | LocalizedText {
  const isPlusLost = raw.startsWith(' ') && /^[1-9]/.test(value)
  const phone = parseInternationalPhone(isPlusLost ? `+${value}` : value.replace(/^00(?=[1-9])/, '+'))
  return phone ? { value: phone } : notPhone
}

/**
 * Parses a number as a person in this country writes it: as dialled there, or in international format. It may
 * have digits of any script; text direction marks are ignored.
 */
export function parsePhoneInCountry(text: string, country: string): Phone | undefined {
  const typed = text.replaceAll(/\p{Cf}/gu, '').trim()
  const plan = phones().isSupportedCountry(country)
    ? { defaultCountry: country }
    : { defaultCallingCode: callingCode(country).slice(1) }
  return parsedPhone(typed, plan) ?? parseInternationalPhone(typed.replace(/^00(?=[1-9])/, '+'))
}

export function parseInternationalPhone(text: string): Phone | undefined {
  return text.startsWith('+') ? parsedPhone(text, {}) : undefined
}

function parsedPhone(
  text: string,
  plan: { defaultCountry?: CountryCode; defaultCallingCode?: string },
): Phone | undefined {
  const parsed = phones().parsePhoneNumberFromString(text, { ...plan, extract: false })
  // E.164 has no extensions, and dropping one would lose information.
  if (!parsed?.isValid() || parsed.ext !== undefined) return undefined
  const { number: e164, nationalNumber: national, country } = parsed
  return { e164, national, country: country && (partsOf[country] ?? country) }
}

/** A number in E.164 as people write it: `+90 532 123 45 67`. Its spaces do not break a line. */
export function displayPhone(e164: string): string {
  const text = phones().parsePhoneNumberFromString(e164)?.formatInternational() ?? e164
  return text.replaceAll(' ', '\u00a0')
}

/** A mobile number of this country as dialled there; undefined if none is known. */
export function examplePhone(country: string): string | undefined {
  const national = examples()[country]
  if (national === undefined) return undefined
  return phones()
    .parsePhoneNumberFromString(national, { defaultCountry: country as CountryCode })
    ?.formatNational()
}

export function callingCode(country: string): string {
  const code = phones().isSupportedCountry(country)
    ? phones().getCountryCallingCode(country as CountryCode)
    : borrowedCodes[country]
  if (code === undefined) throw new Error(`no calling code is known for ${country}`)
  return `+${code}`
}
