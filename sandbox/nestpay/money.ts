import { maxAmountMinor } from '../../kit/money/money.ts'

/** The currencies that the bank takes, by their numbers. */
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

/** `10.01` in minor units; undefined of what is no amount. */
export function minorOf(decimal: string): number | undefined {
  const [, whole, fraction = ''] = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(decimal) ?? []
  if (whole === undefined) return undefined
  const minor = Number(whole + fraction.padEnd(2, '0'))
  return minor <= maxAmountMinor ? minor : undefined
}

/** How many installments a text means; undefined of what means none. A single payment is written as nothing. */
export function installmentsOf(text: string): number | undefined {
  if (['', '0', '1'].includes(text)) return 1
  return /^\d{1,2}$/.test(text) ? Number(text) : undefined
}
