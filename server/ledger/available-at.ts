import { dayOf, laterDay, startOfDay } from '../../kit/text/zoned-time.ts'

/** Time zone of a merchant's days, and the number of days until money is available. */
export interface SettlementTerms {
  timeZone: string
  settlementDays: number
}

/**
 * Time from which the merchant can use a charged amount: the start of the day that is `settlementDays` after
 * the day of the charge, in the merchant's time zone. Null means immediately. Guarantee: never before the
 * charge.
 */
export function availableAt(takenAt: Date, { timeZone, settlementDays }: SettlementTerms): Date | null {
  if (settlementDays === 0) return null
  return startOfDay(laterDay(dayOf(takenAt, timeZone), settlementDays), timeZone)
}
