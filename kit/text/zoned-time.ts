import { BoundedCache } from '../runtime/bounded-cache.ts'

const quarterHourMs = 15 * 60 * 1000
const dayMs = 24 * 60 * 60 * 1000

/** Difference of a zone from UTC. */
interface Offset {
  minutes: number
  /** ISO 8601 form. */
  text: string
}

/**
 * Cached data of a zone. `Intl` is slow, so a day that begins and ends with the same offset is looked up
 * once.
 */
interface Zone {
  format: Intl.DateTimeFormat
  days: BoundedCache<number, Offset | 'changes'>
  quarters: BoundedCache<number, Offset>
  /** The last second formatted, and its text: many responses within a second show the same time. */
  second: number
  iso: string
  /** The last minute formatted, for `displayTime`. */
  minute: number
  display: string
}

const zones = new Map<string, Zone>()
/** Ten years of days. Above that the cache is cleared. */
const maxRemembered = 3660

/** `2026-11-15T09:30:00+03:00`: the local time in the zone, with its offset. */
export function isoTime(instant: Date, name: string): string {
  const zone = zoneOf(name)
  const second = Math.floor(instant.getTime() / 1000)
  if (zone.second !== second) {
    const { minutes, text } = offsetAt(zone, instant.getTime())
    zone.second = second
    zone.iso = wallClock(instant, minutes).toISOString().slice(0, 19) + text
  }
  return zone.iso
}

/** `15.11.2026 09:30`: the usual format in Turkey. */
export function displayTime(instant: Date, name: string): string {
  const zone = zoneOf(name)
  const minute = Math.floor(instant.getTime() / 60_000)
  if (zone.minute !== minute) {
    const wall = wallClock(instant, offsetAt(zone, instant.getTime()).minutes).toISOString()
    zone.minute = minute
    zone.display = `${wall.slice(8, 10)}.${wall.slice(5, 7)}.${wall.slice(0, 4)} ${wall.slice(11, 16)}`
  }
  return zone.display
}

/** The first instant of a day, `2026-11-15`, in the zone. */
export function startOfDay(day: string, name: string): Date {
  const zone = zoneOf(name)
  const wallMs = Date.parse(`${day}T00:00:00Z`)
  const offsetMs = (instantMs: number) => offsetAt(zone, instantMs).minutes * 60_000
  const guess = wallMs - offsetMs(wallMs - dayMs)
  const exact = wallMs - offsetMs(guess)
  // If the clocks skip midnight, no instant shows it: the day begins at the change.
  return new Date(exact + offsetMs(exact) < wallMs ? guess : exact)
}

export function isTimeZone(name: string): boolean {
  try {
    zoneOf(name)
    return true
  } catch {
    return false
  }
}

function wallClock(instant: Date, minutes: number): Date {
  return new Date(instant.getTime() + minutes * 60_000)
}

function offsetAt(zone: Zone, instantMs: number): Offset {
  const day = Math.floor(instantMs / dayMs)
  const ofDay = zone.days.get(day, () => {
    const first = askOffset(zone, day * dayMs)
    return first.minutes === askOffset(zone, (day + 1) * dayMs - 1).minutes ? first : 'changes'
  })
  if (ofDay !== 'changes') return ofDay
  // Zones change their offset on quarter hours only.
  const quarter = Math.floor(instantMs / quarterHourMs)
  return zone.quarters.get(quarter, () => askOffset(zone, quarter * quarterHourMs))
}

function askOffset({ format }: Zone, instantMs: number): Offset {
  const parts = format.formatToParts(new Date(instantMs))
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign = '+', hours = '00', rest = '00'] = /^GMT(?:([+-])(\d{2}):(\d{2}))?/.exec(name) ?? []
  const minutes = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(rest))
  return { minutes, text: `${sign}${hours}:${rest}` }
}

function zoneOf(name: string): Zone {
  let zone = zones.get(name)
  if (!zone) {
    const format = new Intl.DateTimeFormat('en', { timeZone: name, timeZoneName: 'longOffset' })
    const last = { second: Number.NaN, iso: '', minute: Number.NaN, display: '' }
    zone = {
      format,
      days: new BoundedCache(maxRemembered),
      quarters: new BoundedCache(maxRemembered),
      ...last,
    }
    zones.set(name, zone)
  }
  return zone
}
