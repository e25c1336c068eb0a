import { endInstant } from '../../../kit/input/day-or-instant.ts'
import { dayOf } from '../../../kit/text/zoned-time.ts'

/** Time zone of the banks' days: all banks are in Turkey. */
export const bankTimeZone = 'Europe/Istanbul'

/** Time after midnight in which a bank closes its day. */
const closingMs = 15 * 60_000

/** Longest wait for the end of a bank's day. */
export const longestBankDayWaitS = 24 * 60 * 60 + closingMs / 1000

/**
 * Time by which a bank should have closed the day of a charge. It is an estimate: a bank that closes later
 * reports so when asked, and one that closes earlier is asked somewhat late.
 */
export function bankDayClosesAt(takenAt: Date): Date {
  const day = dayOf(takenAt, bankTimeZone)
  return new Date(endInstant({ day }, bankTimeZone).getTime() + closingMs)
}
