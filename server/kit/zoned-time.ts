const quarterHourMs = 15 * 60 * 1000

/** Zones change their offset on quarter hours only, so one look-up of the slow `Intl` serves a quarter of an hour. */
const offsets = new Map<string, { quarter: number; minutes: number }>()
const formats = new Map<string, Intl.DateTimeFormat>()

/** `2026-11-15T09:30:00+03:00`: the instant as a clock on the wall of that zone shows it, with its offset. */
export function isoTime(instant: Date, zone: string): string {
  const minutes = offsetMinutes(instant, zone)
  const sign = minutes < 0 ? '-' : '+'
  const offset = `${sign}${twoDigits(Math.trunc(Math.abs(minutes) / 60))}:${twoDigits(Math.abs(minutes) % 60)}`
  return wallClock(instant, minutes).toISOString().slice(0, 19) + offset
}

/** `15.11.2026 09:30`: what people of this market read as a date and a time. */
export function displayTime(instant: Date, zone: string): string {
  const wall = wallClock(instant, offsetMinutes(instant, zone)).toISOString()
  return `${wall.slice(8, 10)}.${wall.slice(5, 7)}.${wall.slice(0, 4)} ${wall.slice(11, 16)}`
}

export function isTimeZone(name: string): boolean {
  try {
    formatFor(name)
    return true
  } catch {
    return false
  }
}

function wallClock(instant: Date, minutes: number): Date {
  return new Date(instant.getTime() + minutes * 60_000)
}

function offsetMinutes(instant: Date, zone: string): number {
  const quarter = Math.floor(instant.getTime() / quarterHourMs)
  const known = offsets.get(zone)
  if (known?.quarter === quarter) return known.minutes
  const name = formatFor(zone)
    .formatToParts(instant)
    .find((part) => part.type === 'timeZoneName')?.value
  const match = /^GMT(?:([+-])(\d{2}):(\d{2}))?/.exec(name ?? '')
  const minutes = match?.[1] ? (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3])) : 0
  offsets.set(zone, { quarter, minutes })
  return minutes
}

function formatFor(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
    formats.set(zone, format)
  }
  return format
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0')
}
