const keys = /([sp]k)_(test|live)_[0-9A-Za-z]+/g
const signingSecrets = /whsec_[\w+/=-]+/g
const tokens = /eyJ[\w-]{1,2000}\.[\w-]{1,2000}\.[\w-]{0,2000}/g
const digitRuns = /\d(?:[^\da-zA-Z]{0,2}\d){11,}/g
const longestText = 8_000
const shortestNumber = 13
const longestNumber = 19

/**
 * Takes keys, signing secrets, access tokens and card numbers out of a text that may hold what a caller sent. What we log on purpose
 * holds none; this is for error texts of libraries and of the database, which quote values, and for what strangers answer.
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
 * Any 13 to 19 digits in a row may be one, whatever digits stand beside them. The sums of all rows are the differences of
 * sums from the beginning, so that what somebody sends to be looked through for long is looked through once.
 */
function holdsCardNumber(digits: string): boolean {
  const sums = [luhnSums(digits, 0), luhnSums(digits, 1)] as const
  for (let end = shortestNumber; end <= digits.length; end++) {
    // The last digit counts as it is, the one before it twice, and so on.
    const sum = end % 2 === 0 ? sums[0] : sums[1]
    for (let start = Math.max(0, end - longestNumber); start <= end - shortestNumber; start++) {
      if (((sum[end] ?? 0) - (sum[start] ?? 0)) % 10 === 0) return true
    }
  }
  return false
}

/** The sums of the first digits, of none to all, where every second one counts twice: those at even or at odd places. */
function luhnSums(digits: string, doubled: 0 | 1): Uint32Array {
  const sums = new Uint32Array(digits.length + 1)
  for (let index = 0; index < digits.length; index++) {
    const digit = digits.charCodeAt(index) - 48
    const counted = index % 2 === doubled ? (digit > 4 ? digit * 2 - 9 : digit * 2) : digit
    sums[index + 1] = (sums[index] ?? 0) + counted
  }
  return sums
}
