import { redact } from '../../../kit/security/redaction.ts'
import type { Phone } from '../../../kit/text/phone.ts'
import { withoutControlCharacters } from './clip.ts'

/** Data typed by payers is optional: invalid data is left out and never stops a payment. */

/** Letters that Unicode normalization does not split into a base letter and an accent. */
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
 * Name in the plain letters that are embossed on cards, because directory servers refuse others. Undefined if
 * it cannot be written so, has a wrong length, or holds a card number.
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

/** Country code and national number. The E.164 number must end with the national number. */
export function phoneElement(phone: Phone | undefined): { cc: string; subscriber: string } | undefined {
  if (!phone?.e164.endsWith(phone.national)) return undefined
  const cc = phone.e164.slice(1, phone.e164.length - phone.national.length)
  const { national: subscriber } = phone
  return /^\d{1,3}$/.test(cc) && /^\d{1,15}$/.test(subscriber) ? { cc, subscriber } : undefined
}
