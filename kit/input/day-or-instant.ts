import type { LocalizedText } from '../text/locale.ts'
import { laterDay, startOfDay } from '../text/zoned-time.ts'

/** A day in a given time zone, or an instant with its precision. */
export type DayOrInstant = { day: string } | { instantMs: number; precisionMs: number }

const notMoment: LocalizedText = {
  tr: 'Bir gün (2026-11-15) ya da UTC farkı belirtilmiş bir tarih ve saat (2026-11-15T09:30:00+03:00) olmalıdır.',
  en: 'Must be a day (2026-11-15) or a time with a UTC offset (2026-11-15T09:30:00+03:00).',
}

export function parseDayOrInstantField(value: string): { value: DayOrInstant } | LocalizedText {
  // A plus that was not encoded arrives as a space.
  const match =
    /^([12]\d{3}-\d{2}-\d{2})(?:T(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(?:(Z)|([+ -])(\d{2}:\d{2})))?$/.exec(
      value,
    )
  if (!match) return notMoment
  const [, day = '', time, zulu, sign = '', offset = ''] = match
  if (!isCalendarDay(day)) return notMoment
  if (time === undefined) return { value: { day } }
  const instantMs = Date.parse(`${day}T${time}${zulu ?? sign.replace(' ', '+') + offset}`)
  if (Number.isNaN(instantMs)) return notMoment
  return { value: { instantMs, precisionMs: precisionOf(time) } }
}

/** True if the calendar has this day, `2026-11-15`. `Date.parse` reads 31 June as 1 July. */
export function isCalendarDay(day: string): boolean {
  const dayAt = /^[12]\d{3}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(dayAt) && new Date(dayAt).toISOString().startsWith(day)
}

function precisionOf(time: string): number {
  if (time.includes('.')) return 1
  return time.length > 5 ? 1000 : 60_000
}

export function startInstant(moment: DayOrInstant, zone: string): Date {
  return 'day' in moment ? startOfDay(moment.day, zone) : new Date(moment.instantMs)
}

/**
 * End of the range, exclusive. Times are shown to the second, so a record shown with the given second is
 * included.
 */
export function endInstant(moment: DayOrInstant, zone: string): Date {
  if ('day' in moment) return startOfDay(laterDay(moment.day, 1), zone)
  return new Date(moment.instantMs + moment.precisionMs)
}
