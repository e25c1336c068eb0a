import { BoundedCache } from '../../../kit/runtime/bounded-cache.ts'
import type { Language } from '../../../kit/text/locale.ts'
import { refundShareOf } from '../../ledger/index.ts'
import type { Merchant } from '../../merchants/index.ts'
import type { Attempt, Payment } from '../../payments/index.ts'
import { moneyText } from './money-text.ts'
import { perLanguage } from './part.ts'
import { interpolate, planTexts, receiptLabels } from './texts.ts'

/** Line of a receipt. */
export interface ReceiptLine {
  name: keyof typeof receiptLabels
  label: string
  value: string
}

/** Receipt of a payment. It holds only the last four digits of the card. */
export function receiptLines(
  { payment, attempt, merchant }: { payment: Payment; attempt: Attempt; merchant: Seller },
  language: Language,
): ReceiptLine[] {
  const { chargedMinor, currency, installment, instrument } = attempt
  const line = (name: ReceiptLine['name'], value: string) => ({
    name,
    label: receiptLabels[name][language],
    value,
  })
  const refundedMinor = refundedToPayerMinor(payment, attempt)
  const count = interpolate(planTexts.count[language], { count: installment })
  return [
    line('merchant', merchant.name),
    line(amountLineOf(payment), moneyText(chargedMinor, currency, language)),
    ...(refundedMinor > 0 ? [line('refunded', moneyText(refundedMinor, currency, language))] : []),
    ...(installment > 1 ? [line('installments', count)] : []),
    line('card', `•••• ${instrument.mask.slice(-4)}`),
    line('time', dateText(payment.endedAt ?? attempt.beganAt, merchant.timeZone, language)),
    line('id', String(payment.id)),
  ]
}

function amountLineOf({ state }: Payment): 'paid' | 'held' | 'released' {
  // Only a released hold has a receipt among the failed payments.
  if (state === 'failed') return 'released'
  return ['held', 'capturing', 'releasing'].includes(state) ? 'held' : 'paid'
}

const locales = { tr: 'tr-TR', en: 'en-GB' }

/** Formatters by time zone: creating one takes longer than rendering a page. */
const dateFormats = perLanguage(() => new BoundedCache<string, Intl.DateTimeFormat>(1_000))

/** Localized time: `15 Kasım 2026 12:30` in Turkish, `15 November 2026 at 12:30` in English. */
function dateText(instant: Date, zone: string, language: Language): string {
  const format = dateFormats[language].get(
    zone,
    (timeZone) =>
      new Intl.DateTimeFormat(locales[language], { dateStyle: 'long', timeStyle: 'short', timeZone }),
  )
  return format.format(instant)
}

/** Amount refunded to the payer, including the share of the installment surcharge. */
export function refundedToPayerMinor(
  { amountMinor, refundedMinor }: Payment,
  { chargedMinor, commissionMinor }: Attempt,
): number {
  return refundShareOf({ amountMinor, chargedMinor, commissionMinor }, 0, refundedMinor).chargedMinor
}

/** Seller's data on a receipt. */
export type Seller = Pick<Merchant, 'name' | 'timeZone' | 'website'>
