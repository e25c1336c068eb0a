import type { Language } from '../../../kit/text/locale.ts'
import { interpolate, planTexts } from './texts.ts'

/** How a choice is written: on a line of its own what each installment is, and below it what they come to. */
export interface InstallmentPlanTextLines {
  text: string
  sum: string | null
}

/** `6 taksit · 306,18 ₺ × 6`, and below it `toplam 1.837,08 ₺`. */
export function installmentPlanTextLines(
  installmentsMinor: readonly number[],
  price: (minor: number) => string,
  language: Language,
): InstallmentPlanTextLines {
  const total = price(installmentsMinor.reduce((sum, part) => sum + part, 0))
  const count = installmentsMinor.length
  if (count === 1) return { text: interpolate(planTexts.single[language], { total }), sum: null }
  const each = eachText(installmentsMinor, price)
  return {
    text: interpolate(planTexts.several[language], { count, each }),
    sum: interpolate(planTexts.sum[language], { total }),
  }
}

/** A product stays on its line. */
const times = '\u00a0×\u00a0'

/** `306,18 ₺ + 306,17 ₺ × 5` where they differ, `306,17 ₺ × 6` where they do not: what is written adds up. */
function eachText(parts: readonly number[], price: (minor: number) => string): string {
  const sizes = [...new Set(parts)]
  return sizes
    .map((size) => {
      const count = parts.filter((part) => part === size).length
      return count === 1 ? price(size) : `${price(size)}${times}${count}`
    })
    .join(' + ')
}
