import { brandOf } from './brand.ts'

const shortest = 13
const longest = 19

/**
 * Groups digits as printed: 4-6-5 for American Express, otherwise fours. Drops digits beyond the longest
 * number of the brand.
 */
export function spacedNumber(digits: string): string {
  const brand = brandOf(digits)
  const gaps = [...(brand?.gaps ?? [4, 8, 12]), 16]
  const most = brand ? Math.max(...brand.lengths) : longest
  return [...digits.slice(0, most)]
    .map((digit, index) => (gaps.includes(index) ? ` ${digit}` : digit))
    .join('')
}

/** True if these digits can be a card number: a length of the brand and a valid check digit. */
export function isCardNumber(digits: string): boolean {
  const lengths = brandOf(digits)?.lengths
  const isLong = lengths
    ? lengths.includes(digits.length)
    : digits.length >= shortest && digits.length <= longest
  return isLong && /^[1-9]\d+$/.test(digits) && isLuhnValid(digits)
}

function isLuhnValid(digits: string): boolean {
  const sum = [...digits].reverse().reduce((all, digit, index) => {
    const value = index % 2 === 1 ? Number(digit) * 2 : Number(digit)
    return all + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}
