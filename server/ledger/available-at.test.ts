import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isoTime } from '../../kit/text/zoned-time.ts'
import { availableAt } from './available-at.ts'

const hourMs = 60 * 60 * 1000

/** Time of availability in the merchant's time zone. */
function availableText(takenAt: string, timeZone: string, settlementDays: number): string | null {
  const instant = availableAt(new Date(takenAt), { timeZone, settlementDays })
  return instant && isoTime(instant, timeZone)
}

describe('a charged amount becomes available', () => {
  it('at the start of the day that is the settlement days later, in the merchant’s time zone', () => {
    const zone = 'Europe/Istanbul'
    assert.equal(availableText('2026-11-15T09:30:00+03:00', zone, 1), '2026-11-16T00:00:00+03:00')
    assert.equal(availableText('2026-11-15T00:00:00+03:00', zone, 1), '2026-11-16T00:00:00+03:00')
    assert.equal(availableText('2026-11-15T23:59:59.999+03:00', zone, 1), '2026-11-16T00:00:00+03:00')
    assert.equal(availableText('2026-12-15T22:30:00Z', zone, 30), '2027-01-15T00:00:00+03:00')
    assert.equal(availableText('2028-02-28T12:00:00+03:00', zone, 2), '2028-03-01T00:00:00+03:00')
    assert.equal(availableText('2026-11-15T09:30:00+03:00', zone, 90), '2027-02-13T00:00:00+03:00')
  })

  it('immediately if there are no settlement days', () => {
    assert.equal(availableText('2026-11-15T09:30:00+03:00', 'Europe/Istanbul', 0), null)
  })

  it('by calendar days: a day on which clocks change counts as one day', () => {
    assert.equal(availableText('2026-03-28T23:30:00+01:00', 'Europe/Berlin', 1), '2026-03-29T00:00:00+01:00')
    assert.equal(availableText('2026-03-29T00:30:00+01:00', 'Europe/Berlin', 1), '2026-03-30T00:00:00+02:00')
    assert.equal(availableText('2026-10-25T00:30:00+02:00', 'Europe/Berlin', 1), '2026-10-26T00:00:00+01:00')
    assert.equal(availableText('2026-10-24T12:00:00+02:00', 'Europe/Berlin', 7), '2026-10-31T00:00:00+01:00')
  })

  it('at the start of the day even if it has no midnight, has two midnights or does not exist', () => {
    // Clocks go from 24:00 to 01:00, so the day begins at 01:00.
    assert.equal(
      availableText('2018-11-03T12:00:00-03:00', 'America/Sao_Paulo', 1),
      '2018-11-04T01:00:00-02:00',
    )
    assert.equal(availableText('2024-04-24T12:00:00+02:00', 'Africa/Cairo', 2), '2024-04-26T01:00:00+03:00')
    // Clocks go from 01:00 back to 00:00: the first midnight counts.
    assert.equal(availableText('2026-10-31T12:00:00-04:00', 'America/Havana', 1), '2026-11-01T00:00:00-04:00')
    // Clocks go from 24:00 back to 23:00: the day before has 25 hours.
    assert.equal(
      availableText('2018-02-17T23:30:00-03:00', 'America/Sao_Paulo', 1),
      '2018-02-18T00:00:00-03:00',
    )
    // Samoa skipped 30 December 2011.
    assert.equal(availableText('2011-12-29T12:00:00-10:00', 'Pacific/Apia', 1), '2011-12-31T00:00:00+14:00')
    assert.equal(availableText('2011-12-29T12:00:00-10:00', 'Pacific/Apia', 2), '2011-12-31T00:00:00+14:00')
  })

  it('never before the charge, and in the order of the days, throughout the year', () => {
    const zones = 'Europe/Istanbul Europe/Berlin America/Sao_Paulo America/Havana Africa/Cairo Pacific/Apia'
    for (const timeZone of `${zones} Asia/Beirut Atlantic/Azores Asia/Kathmandu`.split(' ')) {
      for (let ms = Date.parse('2010-12-15T00:00Z'); ms < Date.parse('2012-04-15T00:00Z'); ms += 7 * hourMs) {
        const takenAt = new Date(ms)
        const [one, two] = [1, 2].map((settlementDays) =>
          Number(availableAt(takenAt, { timeZone, settlementDays })),
        ) as [number, number]
        assert.ok(one > ms && two >= one && two <= ms + 3 * 24 * hourMs, `${timeZone} ${takenAt}`)
      }
    }
  })
})
