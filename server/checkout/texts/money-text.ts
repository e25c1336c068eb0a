import { decimalText } from '../../../kit/money/money.ts'
import { BoundedCache } from '../../../kit/runtime/bounded-cache.ts'
import type { Language } from '../../../kit/text/locale.ts'
import { perLanguage } from './part.ts'

/** Localized amount: `1.250,00 ₺` in Turkish, `₺1,250.00` in English. */
export function moneyText(amountMinor: number, currency: string, language: Language): string {
  const known = texts[language].get(currency, () => new BoundedCache(5_000))
  return known.get(amountMinor, () => formatted(amountMinor, currency, language))
}

/** Cache by currency: the same amount is on a page several times, and on every page for the same product. */
const texts = perLanguage(() => new BoundedCache<string, BoundedCache<number, string>>(200))

function formatted(amountMinor: number, currency: string, language: Language): string {
  const amount = decimalText(amountMinor, '.') as Intl.StringNumericLiteral
  return language === 'tr'
    ? `${turkishNumber.format(amount)}\u00a0${symbolOf(currency)}`
    : englishMoney(currency).format(amount)
}

/** Payer's surcharge for installments; null if there is none. */
export function surchargeText(
  { chargedMinor, amountMinor, currency }: { chargedMinor: number; amountMinor: number; currency: string },
  language: Language,
): string | null {
  return chargedMinor > amountMinor ? moneyText(chargedMinor - amountMinor, currency, language) : null
}

const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 }
const turkishNumber = new Intl.NumberFormat('tr-TR', digits)

/** Formatters, cached by currency: creating one takes longer than rendering a page. */
const englishFormats = new Map<string, Intl.NumberFormat>()
const symbols = new Map<string, string>()

function englishMoney(currency: string): Intl.NumberFormat {
  let format = englishFormats.get(currency)
  if (!format) {
    const style = { style: 'currency', currency, currencyDisplay: 'narrowSymbol', ...digits } as const
    format = new Intl.NumberFormat('en-GB', style)
    englishFormats.set(currency, format)
  }
  return format
}

function symbolOf(currency: string): string {
  let symbol = symbols.get(currency)
  if (symbol === undefined) {
    const style = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const
    const parts = new Intl.NumberFormat('tr-TR', style).formatToParts(0)
    symbol = parts.find(({ type }) => type === 'currency')?.value ?? currency
    symbols.set(currency, symbol)
  }
  return symbol
}
