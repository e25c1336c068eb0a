import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { repetitions } from '../../testing/harness/tier.ts'
import { dayOf, displayTime, isoTime, isTimeZone, laterDay, startOfDay } from './zoned-time.ts'

const iso = (instant: string, zone: string) => isoTime(new Date(instant), zone)
const begins = (day: string, zone: string) => startOfDay(day, zone).toISOString()

describe('a time in a zone', () => {
  it('has the offset of that moment, also on a day when the clocks change', () => {
    const berlin = (instant: string) => iso(instant, 'Europe/Berlin')
    assert.equal(berlin('2026-03-28T23:30:00Z'), '2026-03-29T00:30:00+01:00')
    assert.equal(berlin('2026-03-29T00:59:59.999Z'), '2026-03-29T01:59:59+01:00')
    assert.equal(berlin('2026-03-29T01:00:00Z'), '2026-03-29T03:00:00+02:00')
    assert.equal(berlin('2026-10-25T00:59:59Z'), '2026-10-25T02:59:59+02:00')
    assert.equal(berlin('2026-10-25T01:00:00Z'), '2026-10-25T02:00:00+01:00')
    assert.equal(displayTime(new Date('2026-10-25T01:00:00Z'), 'Europe/Berlin'), '25.10.2026 02:00')
  })

  it('is right east and west of Greenwich, with half and quarter hours, and in UTC', () => {
    assert.equal(iso('2026-11-15T06:30:00Z', 'Europe/Istanbul'), '2026-11-15T09:30:00+03:00')
    assert.equal(iso('2026-11-15T02:30:00Z', 'America/New_York'), '2026-11-14T21:30:00-05:00')
    assert.equal(iso('2026-11-15T06:30:00Z', 'Asia/Kathmandu'), '2026-11-15T12:15:00+05:45')
    assert.equal(iso('2026-11-15T06:30:00Z', 'America/St_Johns'), '2026-11-15T03:00:00-03:30')
    assert.equal(iso('2026-11-15T06:30:00Z', 'UTC'), '2026-11-15T06:30:00+00:00')
  })

  it('is the same instant in every zone', () => {
    const instants = fc.date({
      min: new Date('1990-01-01Z'),
      max: new Date('2035-01-01Z'),
      noInvalidDate: true,
    })
    fc.assert(
      fc.property(instants, fc.constantFrom(...zones), (instant, zone) => {
        assert.equal(Date.parse(isoTime(instant, zone)), Math.floor(instant.getTime() / 1000) * 1000)
      }),
      { numRuns: repetitions(500) },
    )
  })
})

const zones = [
  'Europe/Istanbul',
  'Europe/Berlin',
  'Africa/Cairo',
  'America/Asuncion',
  'America/Sao_Paulo',
  'America/Havana',
  'America/New_York',
  'Asia/Beirut',
  'Asia/Tehran',
  'Asia/Kathmandu',
  'Atlantic/Azores',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Chatham',
]

it('a later day is counted in the calendar, over the ends of months and years', () => {
  assert.equal(laterDay('2028-02-28', 2), '2028-03-01')
  assert.equal(laterDay('2026-12-31', 1), '2027-01-01')
  assert.equal(dayOf(new Date('2026-11-15T21:30:00Z'), 'Europe/Istanbul'), '2026-11-16')
})

describe('the first instant of a day', () => {
  it('is midnight, also before and after a day with a clock change', () => {
    assert.equal(begins('2026-11-15', 'Europe/Istanbul'), '2026-11-14T21:00:00.000Z')
    assert.equal(begins('2026-11-15', 'Asia/Kathmandu'), '2026-11-14T18:15:00.000Z')
    const days = ['2026-03-29', '2026-03-30', '2026-10-25', '2026-10-26']
    assert.deepEqual(
      days.map((day) => begins(day, 'Europe/Berlin')),
      [
        '2026-03-28T23:00:00.000Z',
        '2026-03-29T22:00:00.000Z',
        '2026-10-24T22:00:00.000Z',
        '2026-10-25T23:00:00.000Z',
      ],
    )
    assert.equal(begins('2026-03-09', 'America/New_York'), '2026-03-09T04:00:00.000Z')
  })

  it('is the moment of the change if the clocks skip midnight', () => {
    assert.equal(begins('2024-04-26', 'Africa/Cairo'), '2024-04-25T22:00:00.000Z')
    assert.equal(iso('2024-04-25T22:00:00Z', 'Africa/Cairo'), '2024-04-26T01:00:00+03:00')
    assert.equal(begins('2023-10-01', 'America/Asuncion'), '2023-10-01T04:00:00.000Z')
  })

  it('is the last midnight if the clocks go back at midnight, and the first if they go back to midnight', () => {
    assert.equal(begins('2024-11-01', 'Africa/Cairo'), '2024-10-31T22:00:00.000Z')
    assert.equal(begins('2024-03-24', 'America/Asuncion'), '2024-03-24T04:00:00.000Z')
    assert.equal(begins('2024-11-03', 'America/Havana'), '2024-11-03T04:00:00.000Z')
  })

  it('that the zone skipped is that of the next day', () => {
    assert.equal(begins('2011-12-30', 'Pacific/Apia'), '2011-12-30T10:00:00.000Z')
    assert.equal(begins('2011-12-31', 'Pacific/Apia'), '2011-12-30T10:00:00.000Z')
  })

  it('is on that day, and the millisecond before is on an earlier day', () => {
    const firstDay = Date.parse('1990-01-01T00:00:00Z')
    const days = fc.integer({ min: 0, max: 45 * 366 })
    fc.assert(
      fc.property(days, fc.constantFrom(...zones), (number, zone) => {
        const day = new Date(firstDay + number * 86_400_000).toISOString().slice(0, 10)
        const start = startOfDay(day, zone)
        assert.ok(isoTime(start, zone).slice(0, 10) >= day, `${day} ${zone}`)
        assert.ok(isoTime(new Date(start.getTime() - 1), zone).slice(0, 10) < day, `${day} ${zone}`)
      }),
      { numRuns: repetitions(2000) },
    )
  })
})

it('only existing time zones are accepted', () => {
  assert.ok(isTimeZone('Europe/Istanbul') && isTimeZone('UTC'))
  assert.ok(!isTimeZone('Europe/Atlantis') && !isTimeZone(''))
  // Temporal alone would read these as the zone of a time.
  for (const name of ['2026-11-15T09:30Z', '2026-11-15T09:30[Europe/Berlin]'])
    assert.ok(!isTimeZone(name), name)
})

it('a short name that Temporal does not know, as merchants may have stored it, works', () => {
  const instant = new Date('2026-11-15T06:30:00Z')
  assert.ok(isTimeZone('IST'))
  assert.equal(isoTime(instant, 'IST'), '2026-11-15T12:00:00+05:30')
  assert.equal(startOfDay('2026-11-15', 'IST').toISOString(), '2026-11-14T18:30:00.000Z')
})
