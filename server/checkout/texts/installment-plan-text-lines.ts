import type { Language } from '../../../kit/text/locale.ts'
import { interpolate, planTexts } from './texts.ts'

/** Installments of a plan on one line, their total below. For example `6 taksit · 306,18 ₺ × 6`, and below it `toplam 1.837,08 ₺`. */
export function installmentPlanTextLines(
  installmentsMinor: readonly number[],
  price: (minor: number) => string,
  language: Language,
): { text: string; sum: string | null } {
  const total = price(installmentsMinor.reduce((sum, part) => sum + part, 0))
  const count = installmentsMinor.length
  if (count === 1) return { text: interpolate(planTexts.single[language], { total }), sum: null }
  const each = eachText(installmentsMinor, price)
  return {
    text: interpolate(planTexts.several[language], { count, each }),
    sum: interpolate(planTexts.sum[language], { total }),
  }
}

/** Non-breaking, so that a product stays on one line. */
const times = '\u00a0×\u00a0'

/** `306,17 ₺ × 6` for equal installments, `306,18 ₺ + 306,17 ₺ × 5` for others: both add up to the total. */
function eachText(parts: readonly number[], price: (minor: number) => string): string {
  const sizes = [...new Set(parts)]
  return sizes
    .map((size) => {
      const count = parts.filter((part) => part === size).length
      return count === 1 ? price(size) : `${price(size)}${times}${count}`
    })
    .join(' + ')
}
