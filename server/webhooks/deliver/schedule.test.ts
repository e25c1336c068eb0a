import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Random } from '../../../kit/security/random.ts'
import { nextAttemptAt, parseRetryAfterHeaderMs, retryWaitsS } from './schedule.ts'

const now = new Date('2026-11-15T06:30:00Z')
const lowest: Random = { bytes: (count) => Buffer.alloc(count, 0) }
const highest: Random = { bytes: (count) => Buffer.alloc(count, 0xff) }

const waited = (attemptCount: number, random: Random, requestedMs = 0) => {
  const at = nextAttemptAt(attemptCount, now, random, requestedMs)
  return at && (at.getTime() - now.getTime()) / 1000
}

describe('the retry schedule', () => {
  it('has ten attempts: immediately, then after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 hours', () => {
    assert.deepEqual([...retryWaitsS], [5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400])
    assert.equal(nextAttemptAt(10, now, lowest), null)
  })

  it('varies each wait by up to 20 % in both directions', () => {
    for (const [index, waitS] of retryWaitsS.entries()) {
      assert.equal(waited(index + 1, lowest), waitS * 0.8)
      assert.equal(waited(index + 1, highest), waitS * 1.2)
    }
  })

  it('attempts no earlier than Retry-After, and no earlier than its own wait', () => {
    assert.equal(waited(1, lowest, 60_000), 60)
    assert.equal(waited(3, highest, 60_000), 2160)
  })
})

describe('Retry-After', () => {
  it('is a number of seconds or a date', () => {
    assert.equal(parseRetryAfterHeaderMs('120', now), 120_000)
    assert.equal(parseRetryAfterHeaderMs(' 7 ', now), 7_000)
    assert.equal(parseRetryAfterHeaderMs('Sun, 15 Nov 2026 06:31:00 GMT', now), 60_000)
  })

  it('is at most a day, and zero if it is unreadable or in the past', () => {
    assert.equal(parseRetryAfterHeaderMs('9999999999', now), 86_400_000)
    assert.equal(parseRetryAfterHeaderMs('Sun, 15 Nov 2099 06:31:00 GMT', now), 86_400_000)
    for (const header of [
      null,
      '',
      '-5',
      '1.5',
      '1e3',
      'soon',
      '2026-11-15',
      'Sun, 15 Nov 2020 06:31:00 GMT',
      '99999999999',
    ])
      assert.equal(parseRetryAfterHeaderMs(header, now), 0, String(header))
  })
})
