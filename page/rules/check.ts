import { brandOf } from './brand.ts'
import { isCardNumber } from './card-number.ts'
import { digitsOf } from './digits.ts'
import { expiryError } from './expiry.ts'

export const fieldNames = [
  'name',
  'lastname',
  'email',
  'country',
  'phone',
  'number',
  'expiry',
  'cvc',
  'holder',
] as const

export type FieldName = (typeof fieldNames)[number]

/**
 * Fault names of empty fields whose text differs from that of a wrong value. Other fields have one text for
 * both.
 */
const empty = {
  email: 'noEmail',
  phone: 'noPhone',
  number: 'noNumber',
  expiry: 'noExpiry',
  cvc: 'noCvc',
} as const satisfies Partial<Record<FieldName, string>>

type NamedWhenEmpty = keyof typeof empty
export type FieldErrorName = FieldName | 'expired' | (typeof empty)[NamedWhenEmpty]

/** Data that a check needs besides the field. */
export interface CheckContext {
  /** Typed part of the card number, which determines the length of the security code. */
  number: string
  now: Date
}

const longestName = 100
const longestEmail = 254
const fewestDigits = 4
/** Digits of E.164 plus the dialled 00 instead of the plus sign. */
const maxDigits = 17

/**
 * Obvious fault of a typed value, if any. The service decides: every value that it accepts passes here too,
 * except a security code or number that no card of that brand has.
 */
export function fieldErrorOf(
  field: FieldName,
  typed: string,
  around: CheckContext,
): FieldErrorName | undefined {
  if (typed.trim() === '' && field in empty) return empty[field as NamedWhenEmpty]
  if (field === 'expiry') return expiryError(typed, around.now)
  return checks[field](typed.trim(), around) ? undefined : field
}

/** Characters are counted as people see them, whatever their encoding. */
const isName = (text: string) => text !== '' && [...text.normalize('NFC')].length <= longestName

const checks: Readonly<
  Record<Exclude<FieldName, 'expiry'>, (text: string, around: CheckContext) => boolean>
> = {
  name: isName,
  lastname: isName,
  email: (text) => text.length <= longestEmail && /^[!-?A-~]+@[!-?A-~]+\.[!--/-?A-~]{2,}$/.test(text),
  country: (text) => text !== '',
  phone: isPhone,
  number: (text) => isCardNumber(digitsOf(text)),
  cvc: (text, { number }) => isCode(text, brandOf(digitsOf(number))?.codeLength),
  holder: isName,
}

/**
 * Only the service knows which numbers exist. Phones copy numbers with invisible marks for the text
 * direction.
 */
function isPhone(text: string): boolean {
  const typed = text.replaceAll(/\p{Cf}/gu, '')
  const count = digitsOf(typed).length
  return /^\+?[^\p{L}+]+$/u.test(typed) && count >= fewestDigits && count <= maxDigits
}

function isCode(text: string, length: number | undefined): boolean {
  const count = digitsOf(text).length
  return /^\d+$/.test(text) && (length === undefined ? count === 3 || count === 4 : count === length)
}
