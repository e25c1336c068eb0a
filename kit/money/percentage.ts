import type { LocalizedText } from '../text/locale.ts'

/**
 * A percentage as a whole number of ten-thousandths of a percent: 1.79 % is 17 900. So it is exact, as no fraction of
 * the computer's own is, and nothing is lost on its way from a contract to a commission.
 */
export type ScaledPercentage = number

const unitsPerPercent = 10_000
const unitsPerWhole = 100 * unitsPerPercent

const pattern = /^(\d{1,3})(?:[.,](\d{1,4}))?$/

/** `1.79`, `1,79` or `2` as a percentage, from 0 up to but not including 100. */
export function parsePercentageField(text: string): { value: ScaledPercentage } | LocalizedText {
  const [, whole, fraction = ''] = pattern.exec(text) ?? []
  const value = Number(whole) * unitsPerPercent + Number(fraction.padEnd(4, '0'))
  if (whole !== undefined && value < unitsPerWhole) return { value }
  return {
    tr: '0 veya daha büyük, 100’den küçük, en fazla dört ondalık basamaklı bir yüzde olmalıdır, örneğin 1.79.',
    en: 'Must be a percentage from 0 to below 100 with at most four decimals, for example 1.79.',
  }
}

/** As people write it, without needless zeros: `1.79`. */
export function percentageText(percentage: ScaledPercentage): string {
  const fraction = String(percentage % unitsPerPercent).padStart(4, '0')
  return `${Math.floor(percentage / unitsPerPercent)}.${fraction}`.replace(/\.?0+$/, '')
}

/**
 * For answers, where it is a number with decimals. The nearest one that the computer has prints as the same digits, so
 * the reader sees the percentage itself. It is never calculated with.
 */
export function shownPercentage(percentage: ScaledPercentage): number {
  return percentage / unitsPerPercent
}

/** That percentage of an amount, in the minor unit, half a unit rounded up. */
export function applyPercentage(amountMinor: number, percentage: ScaledPercentage): number {
  return proportionalAmount(amountMinor, percentage, unitsPerWhole)
}

/** As much of an amount as `part` is of `whole`, in the minor unit, half a unit rounded up. Nothing else rounds money. */
export function proportionalAmount(amountMinor: number, part: number, whole: number): number {
  if (!Number.isSafeInteger(amountMinor) || amountMinor < 0)
    throw new Error('an amount must be a whole number')
  if (!Number.isSafeInteger(part) || part < 0) throw new Error('a part must be a whole number of units')
  if (!Number.isSafeInteger(whole) || whole < 1) throw new Error('a whole must be a positive number of units')
  return Number((BigInt(amountMinor) * BigInt(part) + BigInt(whole) / 2n) / BigInt(whole))
}
