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

/** What is told apart from something wrong: that there is nothing. In other fields the words are the same for both. */
const empty = {
  email: 'noEmail',
  phone: 'noPhone',
  number: 'noNumber',
  expiry: 'noExpiry',
  cvc: 'noCvc',
} as const satisfies Partial<Record<FieldName, string>>

type NamedWhenEmpty = keyof typeof empty
export type FieldErrorName = FieldName | 'expired' | (typeof empty)[NamedWhenEmpty]

/** What a check has to know beside the field. */
export interface CheckContext {
  /** The card's number as far as it is typed: how long its code is depends on it. */
  number: string
  now: Date
}

const longestName = 100
const longestEmail = 254
const fewestDigits = 4
/** Those of E.164, and the 00 that is dialled for the plus. */
const maxDigits = 17

/**
 * What is plainly wrong with what was typed; undefined if nothing is. The service has the last word: whatever it takes
 * passes here too, but for a code or a number that no card of that brand has.
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

/** Letters count as people count them, whatever they are made of. */
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

/** Which numbers exist only the service knows. Telephones copy theirs with marks that steer the direction of a text. */
function isPhone(text: string): boolean {
  const typed = text.replaceAll(/\p{Cf}/gu, '')
  const count = digitsOf(typed).length
  return /^\+?[^\p{L}+]+$/u.test(typed) && count >= fewestDigits && count <= maxDigits
}

function isCode(text: string, length: number | undefined): boolean {
  const count = digitsOf(text).length
  return /^\d+$/.test(text) && (length === undefined ? count === 3 || count === 4 : count === length)
}
