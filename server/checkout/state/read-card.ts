import type { RawInput } from '../../../kit/input/body.ts'
import type { PaymentCard } from '../../../kit/money/card.ts'
import { SecretCvc, SecretPan } from '../../../kit/money/card.ts'
import type { LocalizedText } from '../../../kit/text/locale.ts'
import { cardFieldErrorTexts } from '../texts/texts.ts'

/** The fields of the form that can be wrong. */
export type CardField = 'number' | 'expiry' | 'cvc' | 'holder'

const longestHolder = 100
/** No card is valid for longer. */
const longestYears = 20

/**
 * The card as it was typed, or all that is wrong with it at once. Nothing of it is ever repeated in a complaint. How long
 * numbers and codes of a brand are the page checks alone: that saves its payers an attempt, and of whoever comes without
 * the page the bank has to say it.
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

/** `MM/YY` or `MM/YYYY`, as people and browsers write it. A card is good until the end of its month. */
function readExpiry(typed: string, now: Date): { month: number; year: number } | LocalizedText {
  const [, months = '', years = ''] = /^(\d{1,2})\s*[/.-]?\s*(\d{2}|\d{4})$/.exec(typed) ?? []
  const month = Number(months)
  const year = years.length === 2 ? 2000 + Number(years) : Number(years)
  if (month < 1 || month > 12 || year > now.getUTCFullYear() + longestYears) return cardFieldErrorTexts.expiry
  // Somewhere on earth it is still the last day of the month for half a day after it.
  const endsMs = Date.UTC(year, month, 1, 12)
  return now.getTime() < endsMs ? { month, year } : cardFieldErrorTexts.expired
}
