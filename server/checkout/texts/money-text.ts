import { decimalText } from '../../../kit/money/money.ts'
import { BoundedCache } from '../../../kit/runtime/bounded-cache.ts'
import type { Language, Localized } from '../../../kit/text/locale.ts'
import { perLanguage } from './part.ts'

/** Localized amount: `1.250,00 ₺` in Turkish, `₺1,250.00` in English. */
export function moneyText(amountMinor: number, currency: string, language: Language): string {
  return texts[language].get(`${amountMinor} ${currency}`, () => {
    const amount = decimalText(amountMinor, '.') as Intl.StringNumericLiteral
    return formats[language].get(currency, makeFormat[language])(amount)
  })
}

/** Cache of texts: the same amount is on a page several times, and on every page for the same product. */
const texts = perLanguage(() => new BoundedCache<string, string>(10_000))

type Format = (amount: Intl.StringNumericLiteral) => string

const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 }
const turkishNumber = new Intl.NumberFormat('tr-TR', digits)

const makeFormat: Localized<(currency: string) => Format> = {
  tr: (currency) => {
    const style = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const
    const parts = new Intl.NumberFormat('tr-TR', style).formatToParts(0)
    const symbol = parts.find(({ type }) => type === 'currency')?.value ?? currency
    return (amount) => `${turkishNumber.format(amount)}\u00a0${symbol}`
  },
  en: (currency) => {
    const style = { style: 'currency', currency, currencyDisplay: 'narrowSymbol', ...digits } as const
    const { format } = new Intl.NumberFormat('en-GB', style)
    return (amount) => format(amount)
  },
}

/** Formats by currency: creating one takes longer than rendering a page. */
const formats = perLanguage(() => new BoundedCache<string, Format>(200))

/** Payer's surcharge for installments; null if there is none. */
export function surchargeText(
  { chargedMinor, amountMinor, currency }: { chargedMinor: number; amountMinor: number; currency: string },
  language: Language,
): string | null {
  return chargedMinor > amountMinor ? moneyText(chargedMinor - amountMinor, currency, language) : null
}
