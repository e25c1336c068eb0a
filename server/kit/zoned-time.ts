const quarterHourMs = 15 * 60 * 1000

/** Zones change their offset on quarter hours only, so one look-up of the slow `Intl` serves a quarter of an hour. */
const offsets = new Map<string, Offset>()
interface Offset {
  quarter: number
  minutes: number
  /** As ISO 8601 writes it. */
  text: string
  /** The last second that was asked for, and its text. */
  second: number
  iso: string
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** `2026-11-15T09:30:00+03:00`: the instant as a clock on the wall of that zone shows it, with its offset. */
export function isoTime(instant: Date, zone: string): string {
  const offset = offsetAt(instant, zone)
  const second = Math.floor(instant.getTime() / 1000)
  // Many answers of one second name the same time.
  if (offset.second !== second) {
    offset.second = second
    offset.iso = wallClock(instant, offset.minutes).toISOString().slice(0, 19) + offset.text
  }
  return offset.iso
}

/** `15.11.2026 09:30`: what people of this market read as a date and a time. */
export function displayTime(instant: Date, zone: string): string {
  const wall = wallClock(instant, offsetAt(instant, zone).minutes).toISOString()
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

function offsetAt(instant: Date, zone: string): Offset {
  const quarter = Math.floor(instant.getTime() / quarterHourMs)
  const known = offsets.get(zone)
  if (known?.quarter === quarter) return known
  const parts = formatFor(zone).formatToParts(instant)
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign = '+', hours = '00', rest = '00'] = /^GMT(?:([+-])(\d{2}):(\d{2}))?/.exec(name) ?? []
  const minutes = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(rest))
  const offset = { quarter, minutes, text: `${sign}${hours}:${rest}`, second: Number.NaN, iso: '' }
  offsets.set(zone, offset)
  return offset
}

function formatFor(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
    formats.set(zone, format)
  }
  return format
}
