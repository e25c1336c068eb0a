import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Random } from '../../../kit/security/random.ts'
import type { DeliveryResponseOrError } from './judge-delivery-attempt.ts'
import { judgeDeliveryAttempt } from './judge-delivery-attempt.ts'

const now = new Date('2026-11-15T06:30:00Z')
const middle: Random = { bytes: (count) => Buffer.alloc(count, 0x80) }

const judged = (response: Partial<DeliveryResponseOrError>, tried = { attemptCount: 1, isTest: false }) =>
  judgeDeliveryAttempt(
    { status: null, fault: null, body: Buffer.alloc(0), retryAfter: null, ...response },
    tried,
    now,
    middle,
  )

describe('a delivery attempt', () => {
  it('succeeds with a complete 2xx response only', () => {
    for (const status of [200, 204, 299]) assert.equal(judged({ status }).state, 'delivered')
    for (const status of [100, 199, 300, 304, 400, 404, 500])
      assert.equal(judged({ status }).state, 'pending', String(status))
    assert.equal(judged({ status: 200, fault: 'timeout' }).state, 'pending')
    assert.equal(judged({ fault: 'connection_refused' }).state, 'pending')
  })

  it('marks its webhook as gone after a 410 only', () => {
    for (const status of [400, 403, 404, 411, 500]) assert.equal(judged({ status }).isGone, false)
    assert.equal(judged({ status: 410 }).isGone, true)
  })

  it('pauses its webhook after 429 or 503 with Retry-After; with other statuses Retry-After delays the next attempt only', () => {
    const until = new Date(now.getTime() + 60_000)
    for (const status of [429, 503])
      assert.deepEqual(judged({ status, retryAfter: '60' }).pausedUntil, until, String(status))
    for (const status of [429, 500]) assert.equal(judged({ status }).pausedUntil, null)
    const { pausedUntil, nextAttemptAt } = judged({ status: 500, retryAfter: '60' })
    assert.deepEqual([pausedUntil, nextAttemptAt], [null, until])
  })

  it('is the last if it is the tenth, or a test', () => {
    assert.equal(judged({ status: 500 }, { attemptCount: 9, isTest: false }).state, 'pending')
    for (const tried of [
      { attemptCount: 10, isTest: false },
      { attemptCount: 1, isTest: true },
    ]) {
      const { state, nextAttemptAt } = judged({ status: 500 }, tried)
      assert.deepEqual([state, nextAttemptAt], ['failed', null])
    }
  })
})
