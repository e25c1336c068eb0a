/** ISO 4217 numbers of the supported currencies, all with two decimals. */
const numbers: Readonly<Record<string, string>> = {
  TRY: '949',
  USD: '840',
  EUR: '978',
  GBP: '826',
  RUB: '643',
}

export const supportedCurrencies: readonly string[] = Object.keys(numbers)

/** Returns undefined for an unsupported currency. */
export function currencyNumber(currency: string): string | undefined {
  return Object.hasOwn(numbers, currency) ? numbers[currency] : undefined
}

/** Turns `123.45` into `12345` without rounding; undefined if it is no amount. */
export function minorFromDecimal(text: string): number | undefined {
  const [, whole, fraction = ''] = /^(\d{1,12})(?:\.(\d{1,2}))?$/.exec(text) ?? []
  return whole === undefined ? undefined : Number(`${whole}${fraction.padEnd(2, '0')}`)
}

/** Reads an amount that the bank sends in minor units, such as `12345`; undefined if there is none. */
export function minorFromDigits(text: string): number | undefined {
  return /^\d{1,14}$/.test(text) ? Number(text) : undefined
}

/** A single payment is sent as an empty text. */
export function installmentText(installment: number): string {
  return installment > 1 ? String(installment) : ''
}

/** True if the number of installments matches. For a single payment the bank may send 1, 0 or nothing. */
export function isSameInstallment(text: string, installment: number): boolean {
  return installment > 1 ? text === String(installment) : ['', '0', '1'].includes(text)
}
