import { isLuhnValid } from './card.ts'

const keys = /([sp]k)_(test|live)_[0-9A-Za-z]+/g
const tokens = /eyJ[\w-]{1,2000}\.[\w-]{1,2000}\.[\w-]{0,2000}/g
const digitRuns = /\d(?:[^\da-zA-Z]{0,2}\d){11,}/g
const longestText = 8_000

/**
 * Takes keys, access tokens and card numbers out of a text that may hold what a caller sent. What we log on purpose
 * holds none; this is for error texts of libraries and of the database, which quote values.
 */
export function redact(text: string): string {
  return text
    .slice(0, longestText)
    .replace(keys, '$1_$2_[redacted]')
    .replace(tokens, '[token redacted]')
    .replace(digitRuns, (run) => (holdsCardNumber(run.replaceAll(/\D/g, '')) ? '[number redacted]' : run))
}

/** Any 13 to 19 digits in a row may be one, whatever digits stand beside them. */
function holdsCardNumber(digits: string): boolean {
  for (let length = 13; length <= 19; length++) {
    for (let start = 0; start + length <= digits.length; start++) {
      if (isLuhnValid(digits.slice(start, start + length))) return true
    }
  }
  return false
}
