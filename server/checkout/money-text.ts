import type { Language } from '../kit/locale.ts'
import { decimalText } from '../kit/money.ts'

/** An amount as people write it: `1.250,00 ₺` in Turkish, `₺1,250.00` in English. */
export function moneyText(amountMinor: number, currency: string, language: Language): string {
  const amount = decimalText(amountMinor, '.') as Intl.StringNumericLiteral
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 }
  if (language === 'tr') {
    const number = new Intl.NumberFormat('tr-TR', digits).format(amount)
    return `${number}\u00a0${symbolOf(currency)}`
  }
  const style = { style: 'currency', currency, currencyDisplay: 'narrowSymbol', ...digits } as const
  return new Intl.NumberFormat('en-GB', style).format(amount)
}

/** What the payer pays on top for paying in installments; null where that is nothing. */
export function extraText(
  { chargedMinor, amountMinor, currency }: { chargedMinor: number; amountMinor: number; currency: string },
  language: Language,
): string | null {
  return chargedMinor > amountMinor ? moneyText(chargedMinor - amountMinor, currency, language) : null
}

function symbolOf(currency: string): string {
  const style = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const
  const parts = new Intl.NumberFormat('tr-TR', style).formatToParts(0)
  return parts.find(({ type }) => type === 'currency')?.value ?? currency
}
