import type { Language } from '../../../kit/text/locale.ts'
import { interpolate, planTexts } from './texts.ts'

/** Parts of a plan's row. For example `9 taksit`, `154,10 ₺`, `toplam 1.386,88 ₺` and `son 2: 154,09 ₺`. */
export interface InstallmentPlanText {
  text: string
  /** Amount of most installments. */
  each: string
  /** Null for a single payment, whose amount is the total. */
  sum: string | null
  /** Installments that differ from the others by rounding; null if there are none. */
  rounding: string | null
}

/** Guarantee: the installments that it names add up to the total that it names. */
export function installmentPlanText(
  installmentsMinor: readonly number[],
  price: (minor: number) => string,
  language: Language,
): InstallmentPlanText {
  const count = installmentsMinor.length
  const total = price(installmentsMinor.reduce((sum, part) => sum + part, 0))
  if (count === 1) return { text: planTexts.single[language], each: total, sum: null, rounding: null }
  const { usualMinor, other } = usualAndOther(installmentsMinor)
  return {
    text: interpolate(planTexts.count[language], { count }),
    each: price(usualMinor),
    sum: interpolate(planTexts.sum[language], { total }),
    rounding:
      other && interpolate(planTexts[other.name][language], { ones: other.ones, amount: price(other.minor) }),
  }
}

interface OtherInstallments {
  name: 'first' | 'firstOnes' | 'last' | 'lastOnes'
  ones: number
  minor: number
}

/** A plan has at most two amounts, the higher ones first. The more frequent one is the usual amount. */
function usualAndOther(parts: readonly number[]): { usualMinor: number; other: OtherInstallments | null } {
  const [firstMinor = 0, lastMinor = 0] = [parts[0], parts.at(-1)]
  const firsts = parts.filter((part) => part === firstMinor).length
  const lasts = parts.length - firsts
  if (lasts === 0) return { usualMinor: firstMinor, other: null }
  if (firsts >= lasts)
    return {
      usualMinor: firstMinor,
      other: { name: lasts === 1 ? 'last' : 'lastOnes', ones: lasts, minor: lastMinor },
    }
  return {
    usualMinor: lastMinor,
    other: { name: firsts === 1 ? 'first' : 'firstOnes', ones: firsts, minor: firstMinor },
  }
}
