import { BoundedCache } from '../runtime/bounded-cache.ts'

const quarterHourMs = 15 * 60_000

/** Offsets by quarter hour and zone: zones change theirs on quarter hours only, and Temporal takes 5 to 17 µs for one. */
const offsets = new BoundedCache<string, { ms: number; text: string }>(10_000)

/** The last second formatted: many responses within a second show the same time. */
let latest = { second: Number.NaN, timeZone: '', text: '' }

/** `2026-11-15T09:30:00+03:00`: the local time in the zone, with its offset. */
export function isoTime(instant: Date, timeZone: string): string {
  const second = Math.floor(instant.getTime() / 1000)
  if (latest.second !== second || latest.timeZone !== timeZone)
    latest = { second, timeZone, text: formatted(instant, timeZone) }
  return latest.text
}

function formatted(instant: Date, timeZone: string): string {
  const quarter = Math.floor(instant.getTime() / quarterHourMs)
  const { ms, text } = offsets.get(`${quarter} ${timeZone}`, () => {
    const at = Temporal.Instant.fromEpochMilliseconds(quarter * quarterHourMs).toZonedDateTimeISO(
      zoneOf(timeZone),
    )
    return { ms: at.offsetNanoseconds / 1e6, text: at.toString().slice(19, 25) }
  })
  return new Date(instant.getTime() + ms).toISOString().slice(0, 19) + text
}

/** Zones as Temporal names them. `Intl` also knows short names such as `IST`, and takes 100 µs for one. */
const zoneNames = new BoundedCache<string, string>(1_000)

function zoneOf(name: string): string {
  return zoneNames.get(
    name,
    () => new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone,
  )
}

/** `15.11.2026 09:30`: the usual format in Turkey. */
export function displayTime(instant: Date, timeZone: string): string {
  const iso = isoTime(instant, timeZone)
  return `${iso.slice(8, 10)}.${iso.slice(5, 7)}.${iso.slice(0, 4)} ${iso.slice(11, 16)}`
}

/** The day of an instant in the zone: `2026-11-15`. */
export function dayOf(instant: Date, timeZone: string): string {
  return isoTime(instant, timeZone).slice(0, 'YYYY-MM-DD'.length)
}

/** The day that is so many days later. */
export function laterDay(day: string, days: number): string {
  return Temporal.PlainDate.from(day).add({ days }).toString()
}

/** The first instant of a day, `2026-11-15`, in the zone. If the clocks skip midnight, it is the change. */
export function startOfDay(day: string, timeZone: string): Date {
  return new Date(Temporal.PlainDate.from(day).toZonedDateTime(zoneOf(timeZone)).epochMilliseconds)
}

/** True for a name with which the functions of this file work. */
export function isTimeZone(name: string): boolean {
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zoneOf(name))
    return true
  } catch {
    return false
  }
}
