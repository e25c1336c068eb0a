import type { RawInput } from '../../../kit/input/body.ts'
import type { PaymentCard } from '../../../kit/money/card.ts'
import { SecretCvc, SecretPan } from '../../../kit/money/card.ts'
import type { LocalizedText } from '../../../kit/text/locale.ts'
import { cardFieldErrorTexts } from '../texts/texts.ts'

/** Card fields that can have an error. */
export type CardField = 'number' | 'expiry' | 'cvc' | 'holder'

const longestHolder = 100
/** Longest validity of a card. */
const longestYears = 20

/**
 * Reads the card, or returns all field errors. An error never repeats the input. Lengths per brand are
 * checked only by the page's script, which saves payers an attempt. Without the script the bank checks them.
 */
export function readCard(input: RawInput, now: Date): PaymentCard | Map<CardField, LocalizedText> {
  const typed = (name: CardField) => (typeof input[name] === 'string' ? input[name].trim() : '')
  const pan = SecretPan.of(typed('number'))
  const expiry = readExpiry(typed('expiry'), now)
  const cvc = SecretCvc.of(typed('cvc'))
  const holder = typed('holder').normalize('NFC')
  const isHolder = holder !== '' && holder.length <= longestHolder && !/[\p{Cc}\p{Cs}]/u.test(holder)
  if (pan && 'month' in expiry && cvc && isHolder)
    return { pan, cvc, expiryMonth: expiry.month, expiryYear: expiry.year, holder }
  const wrong = new Map<CardField, LocalizedText>()
  if (!pan) wrong.set('number', cardFieldErrorTexts.number)
  if (!('month' in expiry)) wrong.set('expiry', expiry)
  if (!cvc) wrong.set('cvc', cardFieldErrorTexts.cvc)
  if (!isHolder) wrong.set('holder', cardFieldErrorTexts.holder)
  return wrong
}

/** Reads `MM/YY` or `MM/YYYY`, as payers and browsers write it. A card is valid to the end of its month. */
function readExpiry(typed: string, now: Date): { month: number; year: number } | LocalizedText {
  const [, months = '', years = ''] = /^(\d{1,2})\s*[/.-]?\s*(\d{2}|\d{4})$/.exec(typed) ?? []
  const month = Number(months)
  const year = years.length === 2 ? 2000 + Number(years) : Number(years)
  if (month < 1 || month > 12 || year > now.getUTCFullYear() + longestYears) return cardFieldErrorTexts.expiry
  // In the last time zone, the month ends twelve hours after UTC.
  const endsMs = Date.UTC(year, month, 1, 12)
  return now.getTime() < endsMs ? { month, year } : cardFieldErrorTexts.expired
}
