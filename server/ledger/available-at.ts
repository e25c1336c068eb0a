import { isoTime, startOfDay } from '../../kit/text/zoned-time.ts'

/** By which clock a merchant's days begin, and after how many of them money is available. */
export interface SettlementTerms {
  timeZone: string
  settlementDays: number
}

const dayMs = 24 * 60 * 60 * 1000

/**
 * When what was taken is the merchant's to use: as the day begins that is so many days after the one it was taken on, by
 * the merchant's own calendar. Null where that is at once. Guarantee: never before it was taken.
 */
export function availableAt(takenAt: Date, { timeZone, settlementDays }: SettlementTerms): Date | null {
  if (settlementDays === 0) return null
  const takenOn = isoTime(takenAt, timeZone).slice(0, 'YYYY-MM-DD'.length)
  const day = new Date(Date.parse(`${takenOn}T00:00:00Z`) + settlementDays * dayMs)
  return startOfDay(day.toISOString().slice(0, 'YYYY-MM-DD'.length), timeZone)
}
