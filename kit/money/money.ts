/**
 * Amounts are integers in the minor unit; their last two digits are the fraction. Money never has another
 * form.
 */

export const minAmountMinor = 1
export const maxAmountMinor = 99_999_999_999

/** `1234567` as `12345,67`: without thousands separator, so that programs can read it too. */
export function decimalText(amountMinor: number, separator: ',' | '.'): string {
  if (!Number.isSafeInteger(amountMinor) || amountMinor < 0)
    throw new Error('an amount must be a whole number')
  const digits = String(amountMinor).padStart(3, '0')
  return `${digits.slice(0, -2)}${separator}${digits.slice(-2)}`
}

/** Like `decimalText`, for a sum, which may be zero or negative. */
export function signedDecimalText(sumMinor: number, separator: ',' | '.'): string {
  return `${sumMinor < 0 ? '-' : ''}${decimalText(Math.abs(sumMinor), separator)}`
}
