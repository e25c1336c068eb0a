import type { Language } from '../../../kit/text/locale.ts'
import { refundShareOf } from '../../ledger/index.ts'
import type { Attempt, Payment } from '../../payments/index.ts'
import { dateText } from './date-text.ts'
import { moneyText } from './money-text.ts'
import type { receiptLabels } from './texts.ts'
import { interpolate, planTexts, receiptLabels as words } from './texts.ts'

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
  const line = (name: ReceiptLine['name'], value: string) => ({ name, label: words[name][language], value })
  const isHeld = ['held', 'capturing', 'releasing'].includes(payment.state)
  const refundedMinor = refundedToPayerMinor(payment, attempt)
  const count = interpolate(planTexts.count[language], { count: installment })
  return [
    line('merchant', merchant.name),
    line(isHeld ? 'held' : 'paid', moneyText(chargedMinor, currency, language)),
    ...(refundedMinor > 0 ? [line('refunded', moneyText(refundedMinor, currency, language))] : []),
    ...(installment > 1 ? [line('installments', count)] : []),
    line('card', `•••• ${instrument.mask.slice(-4)}`),
    line('time', dateText(payment.endedAt ?? attempt.beganAt, merchant.timeZone, language)),
    line('id', String(payment.id)),
  ]
}

/** Amount refunded to the payer, including the share of the installment surcharge. */
export function refundedToPayerMinor(
  { amountMinor, refundedMinor }: Payment,
  { chargedMinor, commissionMinor }: Attempt,
): number {
  return refundShareOf({ amountMinor, chargedMinor, commissionMinor }, 0, refundedMinor).chargedMinor
}

/** Seller's data on a receipt. */
export interface Seller {
  name: string
  timeZone: string
}
