import type { LocalizedText } from '../text/locale.ts'

/**
 * A percentage as an integer of ten-thousandths of a percent: 1.79 % is 17 900. Unlike a floating-point
 * number it is exact, so a commission matches the contract.
 */
export type ScaledPercentage = number

const unitsPerPercent = 10_000
const unitsPerWhole = 100 * unitsPerPercent

const pattern = /^(\d{1,3})(?:[.,](\d{1,4}))?$/

/** Parses `1.79`, `1,79` or `2`: at least 0 and less than 100. */
export function parsePercentageField(text: string): { value: ScaledPercentage } | LocalizedText {
  const [, whole, fraction = ''] = pattern.exec(text) ?? []
  const value = Number(whole) * unitsPerPercent + Number(fraction.padEnd(4, '0'))
  if (whole !== undefined && value < unitsPerWhole) return { value }
  return {
    tr: '0 veya daha büyük, 100’den küçük, en fazla dört ondalık basamaklı bir yüzde olmalıdır, örneğin 1.79.',
    en: 'Must be a percentage of at least 0 and less than 100, with at most four decimals, for example 1.79.',
  }
}

/** Text without trailing zeros: `1.79`. */
export function percentageText(percentage: ScaledPercentage): string {
  const fraction = String(percentage % unitsPerPercent).padStart(4, '0')
  return `${Math.floor(percentage / unitsPerPercent)}.${fraction}`.replace(/\.?0+$/, '')
}

/**
 * Number with decimals for responses. The nearest floating-point number prints the same digits, so the reader
 * sees the exact percentage. It is never used in calculations.
 */
export function shownPercentage(percentage: ScaledPercentage): number {
  return percentage / unitsPerPercent
}

/** The percentage of an amount in the minor unit, half a unit rounded up. */
export function applyPercentage(amountMinor: number, percentage: ScaledPercentage): number {
  return proportionalAmount(amountMinor, percentage, unitsPerWhole)
}

/**
 * The share `part / whole` of an amount, in the minor unit, half a unit rounded up. No other function rounds
 * money.
 */
export function proportionalAmount(amountMinor: number, part: number, whole: number): number {
  if (!Number.isSafeInteger(amountMinor) || amountMinor < 0)
    throw new Error('an amount must be a whole number')
  if (!Number.isSafeInteger(part) || part < 0) throw new Error('a part must be a whole number of units')
  if (!Number.isSafeInteger(whole) || whole < 1) throw new Error('a whole must be a positive number of units')
  return Number((BigInt(amountMinor) * BigInt(part) + BigInt(whole) / 2n) / BigInt(whole))
}
