import { isCalendarDay } from '../../kit/input/day-or-instant.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { LocalizedText } from '../../kit/text/locale.ts'
import { dayOf } from '../../kit/text/zoned-time.ts'

/** Time zone of a table's day, because its makers are in Turkey. */
export const turkeyTimeZone = 'Europe/Istanbul'

const dayMs = 24 * 60 * 60 * 1000

/** Current day in Turkey. */
export function todayInTurkey(clock: Clock): string {
  return dayOf(clock.now(), turkeyTimeZone)
}

/** Number of days since a day. */
export function daysSince(day: string, clock: Clock): number {
  return Math.round((Date.parse(todayInTurkey(clock)) - Date.parse(day)) / dayMs)
}

/** Age of a day as text. */
export function ageText(day: string, clock: Clock): string {
  const days = Math.max(0, daysSince(day, clock))
  return days === 0 ? 'today' : days === 1 ? '1 day old' : `${days} days old`
}

/** Parses a calendar day from the year 2000 on. */
export function readDay(day: string): { value: string } | LocalizedText {
  if (isCalendarDay(day) && day.startsWith('2')) return { value: day }
  return { tr: 'Bir gün olmalıdır, örneğin 2026-11-15.', en: 'Must be a day, for example 2026-11-15.' }
}
