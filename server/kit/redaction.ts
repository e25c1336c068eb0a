const keys = /\b([sp]k)_(test|live)_[0-9A-Za-z]+/g
const tokens = /\beyJ[\w-]+\.[\w-]+\.[\w-]*/g
const digitRuns = /\d(?:[ .-]?\d){11,18}/g

/**
 * Takes keys, access tokens and card numbers out of a text that may hold what a caller sent. What we log on purpose
 * holds none; this is for error texts of libraries and of the database, which quote values.
 */
export function redact(text: string): string {
  return text
    .replace(keys, '$1_$2_[redacted]')
    .replace(tokens, '[token redacted]')
    .replace(digitRuns, (run) => (isLuhnValid(run) ? '[number redacted]' : run))
}

function isLuhnValid(run: string): boolean {
  const digits = run.replaceAll(/\D/g, '')
  let sum = 0
  for (let index = 0; index < digits.length; index++) {
    let digit = Number(digits[digits.length - 1 - index])
    if (index % 2 === 1) digit = digit * 2 > 9 ? digit * 2 - 9 : digit * 2
    sum += digit
  }
  return sum % 10 === 0
}
