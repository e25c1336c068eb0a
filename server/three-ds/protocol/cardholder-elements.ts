import { redact } from '../../../kit/security/redaction.ts'
import type { Phone } from '../../../kit/text/phone.ts'
import { withoutControlCharacters } from './clip.ts'

/** What payers type about themselves helps an issuer, and none of it is worth a payment: what has no form is left out. */

/** Letters that do not come apart into a plain one and its accent. */
const plainLetters: Readonly<Record<string, string>> = {
  ı: 'i',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ß: 'ss',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
}

/**
 * A name in the plain letters that are stamped on cards, because directory servers refuse others; undefined when it
 * cannot be written so, is too short or too long, or when somebody has typed the number of the card there.
 */
export function cardholderNameElement(name: string): string | undefined {
  const plain = withoutControlCharacters(name)
    .normalize('NFKD')
    .replaceAll(/\p{Mn}/gu, '')
    .replaceAll(/[ıøØłŁđĐßæÆœŒ]/g, (letter) => plainLetters[letter] ?? letter)
    .replaceAll(/[‘’ʼ]/g, "'")
  const isFit = /^[\x20-\x7e]{2,45}$/.test(plain) && /[a-z]/i.test(plain)
  return isFit && redact(plain) === plain ? plain : undefined
}

export function emailElement(email: string | null): string | undefined {
  const trimmed = email?.trim() ?? ''
  const isFit = trimmed.length <= 254 && /^[^\s@]{1,64}@[^\s@]+\.[^\s@]+$/.test(trimmed)
  return isFit && redact(trimmed) === trimmed ? trimmed : undefined
}

/** The two parts of a number. What is dialled within the country is its end. */
export function phoneElement(phone: Phone | null): { cc: string; subscriber: string } | undefined {
  if (!phone?.e164.endsWith(phone.national)) return undefined
  const cc = phone.e164.slice(1, phone.e164.length - phone.national.length)
  const { national: subscriber } = phone
  return /^\d{1,3}$/.test(cc) && /^\d{1,15}$/.test(subscriber) ? { cc, subscriber } : undefined
}
