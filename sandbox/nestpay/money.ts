import { maxAmountMinor } from '../../kit/money/money.ts'

/** Currencies of the bank by ISO 4217 number. */
const currencies: Readonly<Record<string, string>> = {
  949: 'TRY',
  840: 'USD',
  978: 'EUR',
  826: 'GBP',
  392: 'JPY',
  643: 'RUB',
}

export function currencyByNumber(number: string): string | undefined {
  return currencies[number]
}

/** Minor units of a decimal text such as `10.01`; undefined if it is not an amount. */
export function minorOf(decimal: string): number | undefined {
  const [, whole, fraction = ''] = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(decimal) ?? []
  if (whole === undefined) return undefined
  const minor = Number(whole + fraction.padEnd(2, '0'))
  return minor <= maxAmountMinor ? minor : undefined
}

/** Number of installments; undefined if the text is not a number. An empty text means a single payment. */
export function installmentsOf(text: string): number | undefined {
  if (['', '0', '1'].includes(text)) return 1
  return /^\d{1,2}$/.test(text) ? Number(text) : undefined
}
