import type { Language } from '../../kit/text/locale.ts'
import { displayTime } from '../../kit/text/zoned-time.ts'
import { bankZone } from '../bank/issuer.ts'
import type { BankTextName } from './texts.ts'

/** One line of the purchase that the payer confirms: its label and its text. */
export type PurchaseFact = readonly [what: BankTextName, text: string]

export interface Money {
  /** Minor units, as digits: a message can contain an amount that a JavaScript number cannot hold. */
  amount: string
  /** ISO 4217 letters. */
  currency: string
  exponent: number
}

/** `1.250,00 ₺` or `₺1,250.00`. */
export function amountText({ amount, currency, exponent }: Money, language: Language): string {
  const digits = amount.padStart(exponent + 1, '0')
  const fraction = exponent === 0 ? '' : `.${digits.slice(-exponent)}`
  const decimal = `${digits.slice(0, digits.length - exponent)}${fraction}` as `${number}`
  const places = { minimumFractionDigits: exponent, maximumFractionDigits: exponent }
  const number = new Intl.NumberFormat(language, places).format(decimal)
  const symbols = new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
  })
  const symbol = symbols.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? currency
  return language === 'tr' ? `${number} ${symbol}` : `${symbol}${/\w$/.test(symbol) ? ' ' : ''}${number}`
}

/** `15.11.2026 20:54` or `15 Nov 2026, 20:54`. */
export function timeText(time: Date, language: Language): string {
  if (language === 'tr') return displayTime(time, bankZone)
  return new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: bankZone,
  }).format(time)
}

/** Last four digits of a masked card, by which its holder recognises it. */
export function cardText(card: string): string {
  return `•••• ${card.slice(-4)}`
}

/**
 * Text that looks unchanged, but has no six digits in a row: a program that searches for the code finds only
 * the code.
 */
export function breakUpDigits(text: string): string {
  return text.replaceAll(/\d{6,}/g, (run) => run.replaceAll(/\d{3}(?=\d)/g, '$&\u2060'))
}
