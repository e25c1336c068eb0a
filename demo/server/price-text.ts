import { decimalText } from '../../kit/money/money.ts'
import type { Language, Localized } from '../../kit/text/locale.ts'

const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 }
const numbers: Localized<Intl.NumberFormat> = {
  tr: new Intl.NumberFormat('tr-TR', digits),
  en: new Intl.NumberFormat('en-GB', digits),
}

/** Price in a language: `1.250,00 ₺` in Turkish, `₺1,250.00` in English. */
export function priceText(amountMinor: number, language: Language): string {
  const amount = numbers[language].format(decimalText(amountMinor, '.') as Intl.StringNumericLiteral)
  return language === 'tr' ? `${amount}\u00a0₺` : `₺${amount}`
}
