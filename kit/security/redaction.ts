const keys = /([sp]k)_(test|live)_[0-9A-Za-z]+/g
const signingSecrets = /whsec_[\w+/=-]+/g
const tokens = /eyJ[\w-]{1,2000}\.[\w-]{1,2000}\.[\w-]{0,2000}/g
const digitRuns = /\d(?:[^\da-zA-Z]{0,2}\d){11,}/g
const longestText = 8_000
const shortestNumber = 13
const longestNumber = 19

/**
 * Removes keys, signing secrets, access tokens and card numbers from text that may hold a caller's input. Our
 * own log fields hold none. This is for error texts of libraries and the database, which quote values, and
 * for responses of foreign servers.
 */
export function redact(text: string, longest = longestText): string {
  return text
    .slice(0, longest)
    .replace(keys, '$1_$2_[redacted]')
    .replace(signingSecrets, 'whsec_[redacted]')
    .replace(tokens, '[token redacted]')
    .replace(digitRuns, (run) => (holdsCardNumber(run.replaceAll(/\D/g, '')) ? '[number redacted]' : run))
}

/**
 * True if any run of 13 to 19 digits is a valid card number, whatever digits are next to it. Each run's sum
 * is the difference of two prefix sums, so a long text is read only once.
 */
function holdsCardNumber(digits: string): boolean {
  const sums = [luhnSums(digits, 0), luhnSums(digits, 1)] as const
  for (let end = shortestNumber; end <= digits.length; end++) {
    // Luhn: counted from the end, every second digit is doubled.
    const sum = end % 2 === 0 ? sums[0] : sums[1]
    for (let start = Math.max(0, end - longestNumber); start <= end - shortestNumber; start++) {
      if (((sum[end] ?? 0) - (sum[start] ?? 0)) % 10 === 0) return true
    }
  }
  return false
}

/** Prefix sums of the digits, with the digits at even or at odd positions doubled. */
function luhnSums(digits: string, doubled: 0 | 1): Uint32Array {
  const sums = new Uint32Array(digits.length + 1)
  for (let index = 0; index < digits.length; index++) {
    const digit = digits.charCodeAt(index) - 48
    const counted = index % 2 === doubled ? (digit > 4 ? digit * 2 - 9 : digit * 2) : digit
    sums[index + 1] = (sums[index] ?? 0) + counted
  }
  return sums
}
