import { endInstant } from '../../../kit/input/day-or-instant.ts'
import { isoTime } from '../../../kit/text/zoned-time.ts'

/** Zone of the banks' days: all banks are of Turkey. */
export const bankTimeZone = 'Europe/Istanbul'

/** Time that a bank gets after midnight to close its day. */
const closingMs = 15 * 60_000

/** The longest wait for the end of a bank's day. */
export const longestBankDayWaitS = 24 * 60 * 60 + closingMs / 1000

/**
 * The moment from which on a bank should have closed the day of a charge. It is an expectation: a bank that closes later
 * says so when it is asked, and one that closes earlier is asked a little late.
 */
export function bankDayClosesAt(takenAt: Date): Date {
  const day = isoTime(takenAt, bankTimeZone).slice(0, 'YYYY-MM-DD'.length)
  return new Date(endInstant({ day }, bankTimeZone).getTime() + closingMs)
}
