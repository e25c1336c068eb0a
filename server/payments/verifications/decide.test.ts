import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Verification } from '../records/verification.ts'
import { decideVerification } from './decide.ts'

const now = new Date('2026-11-15T09:30:00Z')
const schedule = { inquireAfterSeconds: [30, 120, 600], reverseAgainAfterSeconds: [] }
const unverified: Verification = {
  ...{ merchantId: 1, id: 2, paymentId: 3, attemptId: 2, modificationId: null, posId: 4, kind: 'charge' },
  ...{ amountMinor: 1_000, bankAmountMinor: null, currency: 'TRY', state: 'unverified', version: 1 },
  ...{ approvedAt: now, endedAt: null, source: null, dueAt: now, tries: 0, needsReviewAt: null },
}

describe('an unverified approval', () => {
  it('becomes verified, or differs and needs manual review', () => {
    const same = decideVerification(unverified, { result: 'same' }, 'inquiry', now, schedule)
    const ended = { dueAt: null, endedAt: now, source: 'inquiry' }
    assert.deepEqual(same, { ...unverified, ...ended, state: 'verified' })
    const different = { result: 'different', bankAmountMinor: 1_100 } as const
    assert.deepEqual(decideVerification(unverified, different, 'inquiry', now, schedule), {
      ...{ ...unverified, ...ended, state: 'differs', bankAmountMinor: 1_100, needsReviewAt: now },
    })
  })

  it('leaves manual review when it is verified', () => {
    const waiting = { ...unverified, needsReviewAt: now }
    const { needsReviewAt } = decideVerification(waiting, { result: 'same' }, 'statement', now, schedule)
    assert.equal(needsReviewAt, null)
  })

  it('is inquired about by the schedule, then needs manual review, and inquiries continue', () => {
    const waits: number[] = []
    const needsReview: boolean[] = []
    let verification = unverified
    for (let round = 0; round < 5; round++) {
      verification = decideVerification(verification, { result: 'open', why: '' }, 'inquiry', now, schedule)
      waits.push(((verification.dueAt?.getTime() ?? 0) - now.getTime()) / 1000)
      needsReview.push(verification.needsReviewAt !== null)
      assert.equal(verification.state, 'unverified')
    }
    assert.deepEqual(waits, [30, 120, 600, 600, 600])
    assert.deepEqual(needsReview, [false, false, false, true, true])
  })
})
