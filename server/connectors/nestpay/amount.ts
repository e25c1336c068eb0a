import { decimalText } from '../../../kit/money/money.ts'

/** The numbers of ISO 4217 by which the bank knows currencies. Those without two decimals are not among ours. */
const numbers: Readonly<Record<string, string>> = {
  TRY: '949',
  USD: '840',
  EUR: '978',
  GBP: '826',
  RUB: '643',
}

export const supportedCurrencies: readonly string[] = Object.keys(numbers)

/** Undefined if the bank takes no such currency. */
export function currencyNumber(currency: string): string | undefined {
  return Object.hasOwn(numbers, currency) ? numbers[currency] : undefined
}

/** `12345` as `123.45`. */
export function amountText(amountMinor: number): string {
  return decimalText(amountMinor, '.')
}

/** `123.45` as `12345`, read digit by digit; undefined if it is no amount. */
export function minorFromDecimal(text: string): number | undefined {
  const [, whole, fraction = ''] = /^(\d{1,12})(?:\.(\d{1,2}))?$/.exec(text) ?? []
  return whole === undefined ? undefined : Number(`${whole}${fraction.padEnd(2, '0')}`)
}

/** Where the bank counts in minor units itself: `12345`. Undefined if it says none. */
export function minorFromDigits(text: string): number | undefined {
  return /^\d{1,14}$/.test(text) ? Number(text) : undefined
}

/** A single payment has no number of installments. */
export function installmentText(installment: number): string {
  return installment > 1 ? String(installment) : ''
}

/** Whether the bank speaks of as many installments. A single payment is one, none, or nothing said. */
export function isSameInstallment(text: string, installment: number): boolean {
  return installment > 1 ? text === String(installment) : ['', '0', '1'].includes(text)
}
