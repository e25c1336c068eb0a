import { brandOf } from './brand.ts'

const shortest = 13
const longest = 19

/** In groups as they are printed: 4-6-5 on American Express, fours on all others. Digits that no card has are left out. */
export function spacedNumber(digits: string): string {
  const brand = brandOf(digits)
  const gaps = [...(brand?.gaps ?? [4, 8, 12]), 16]
  const most = brand ? Math.max(...brand.lengths) : longest
  return [...digits.slice(0, most)]
    .map((digit, index) => (gaps.includes(index) ? ` ${digit}` : digit))
    .join('')
}

/** Whether it can be the number of a card: as long as its brand has them, and with the last digit that the others demand. */
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
