import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { declineReasons } from '../../connectors/index.ts'
import type { Modification, ModificationKind } from '../records/modification.ts'
import type { ModificationResult } from './decide.ts'
import {
  afterModificationResult,
  isConfirmedByChargeStatus,
  isSafeToRepeatPartialRefund,
  isWithinVoidWindow,
} from './decide.ts'

const schedule = { inquireAfterSeconds: [60, 300, 900, 3600], reverseAgainAfterSeconds: [60, 300, 900, 3600] }
const waits = schedule.reverseAgainAfterSeconds
const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs
const began = new Date('2026-11-15T09:00:00Z')
const now = new Date('2026-11-15T09:00:05Z')

const kinds: readonly ModificationKind[] = ['capture', 'release', 'refund']
const defaultOperations = { capture: 'capture', release: 'void', refund: 'refund' } as const

function modificationOf(kind: ModificationKind, more: Partial<Modification> = {}): Modification {
  return {
    merchantId: 1,
    id: 2,
    paymentId: 3,
    attemptId: 4,
    posId: 5,
    kind,
    refundId: kind === 'refund' ? 6 : null,
    amountMinor: 10_000,
    bankAmountMinor: null,
    priorRefundedMinor: 0,
    state: 'doing',
    version: 7,
    operation: defaultOperations[kind],
    beganAt: began,
    askedAt: began,
    endedAt: null,
    code: null,
    message: null,
    declineReason: null,
    bankReferences: null,
    dueAt: began,
    tries: 0,
    needsReviewAt: null,
    ...more,
  }
}

const done: ModificationResult = {
  outcome: 'done',
  operation: 'void',
  isAmountConfirmed: true,
  code: '00',
  message: 'Onaylandı',
  bankReferences: { a: '1' },
}
const unknown: ModificationResult = { outcome: 'unknown' }
const refused = (reason: (typeof declineReasons)[number]): ModificationResult => ({
  ...{ outcome: 'refused', reason, code: 'xx', message: 'Hayır' },
})

const after = (modification: Modification, response: ModificationResult, at = now, takenAt = began) =>
  afterModificationResult(modification, response, { now: at, takenAt }, schedule)

const passing = [
  'bank_not_reached',
  'not_settled_yet',
  'already_settled',
  'sums_differ',
  'duplicate_reference',
] as const
const mishaps = ['other'] as const
const certain = declineReasons.filter((reason) => ![...passing, ...mishaps].includes(reason as never))

const responses: ModificationResult[] = [done, unknown, ...declineReasons.map(refused)]
const tryCounts = [0, 1, 2, 3, 4, 5, 50]

describe('after any response', () => {
  it('an ended modification does not change', () => {
    for (const kind of kinds)
      for (const state of ['done', 'refused'] as const)
        for (const response of responses) {
          const modification = modificationOf(kind, { state, endedAt: began, dueAt: null })
          assert.equal(after(modification, response), modification)
        }
  })

  it('an open modification is due later, and an ended one has no due time', () => {
    for (const kind of kinds)
      for (const response of responses)
        for (const tries of tryCounts) {
          const then = after(modificationOf(kind, { tries }), response)
          if (then.state === 'doing') {
            assert.ok(then.dueAt && then.dueAt > now)
            assert.equal(then.endedAt, null)
          } else {
            assert.deepEqual([then.dueAt, then.endedAt, then.needsReviewAt], [null, now, null])
          }
        }
  })

  it('only the outcome done ends it as done, and only a refusal ends it as refused', () => {
    for (const kind of kinds)
      for (const response of responses)
        for (const tries of tryCounts) {
          const { state } = after(modificationOf(kind, { tries }), response)
          assert.equal(state === 'done', response.outcome === 'done')
          if (state === 'refused') assert.equal(response.outcome, 'refused')
        }
  })

  it('an open modification stays in manual review', () => {
    for (const kind of kinds)
      for (const response of [unknown, refused('bank_not_reached'), refused('not_settled_yet')]) {
        const then = after(modificationOf(kind, { needsReviewAt: began, tries: 9 }), response)
        assert.equal(then.needsReviewAt, began)
      }
  })
})

describe('a done modification', () => {
  it('has the bank’s last operation and answer, whatever the earlier answers', () => {
    for (const kind of kinds) {
      const before = modificationOf(kind, {
        tries: 9,
        declineReason: 'other',
        code: '96',
        needsReviewAt: began,
      })
      assert.deepEqual(after(before, done), {
        ...before,
        ...{ state: 'done', operation: 'void', code: '00', message: 'Onaylandı', bankReferences: { a: '1' } },
        ...{ declineReason: null, endedAt: now, dueAt: null, needsReviewAt: null },
      })
    }
  })
})

describe('an unknown outcome', () => {
  it('clears an earlier refusal: a bank that may be executing it is not asked again immediately', () => {
    for (const kind of kinds)
      assert.equal(
        after(modificationOf(kind, { declineReason: 'not_settled_yet' }), unknown).declineReason,
        null,
      )
  })

  it('is retried after 1, 5, 15 and 60 minutes, then every hour, and needs manual review from the fifth time', () => {
    for (const kind of kinds) {
      let [modification, at] = [modificationOf(kind), now]
      const passed: [number, boolean][] = []
      for (let step = 0; step < 7; step++) {
        modification = after(modification, unknown, at)
        passed.push([
          ((modification.dueAt?.getTime() ?? 0) - at.getTime()) / 1000,
          modification.needsReviewAt !== null,
        ])
        at = modification.dueAt ?? at
      }
      assert.deepEqual(passed, [
        ...waits.map((wait) => [wait, false]),
        [3600, true],
        [3600, true],
        [3600, true],
      ])
      assert.equal(modification.tries, 7)
    }
  })
})

describe('a refusal', () => {
  for (const reason of certain) {
    it(`for ${reason} ends a capture or refund immediately, and never a release`, () => {
      for (const tries of tryCounts) {
        for (const kind of ['capture', 'refund'] as const) {
          const then = after(modificationOf(kind, { tries }), refused(reason))
          assert.deepEqual(
            [then.state, then.declineReason, then.code, then.message],
            ['refused', reason, 'xx', 'Hayır'],
          )
        }
        const release = after(modificationOf('release', { tries }), refused(reason))
        assert.deepEqual([release.state, release.tries, release.declineReason], ['doing', tries + 1, reason])
        assert.equal(release.needsReviewAt !== null, tries >= waits.length)
      }
    })
  }

  for (const reason of mishaps) {
    it(`for ${reason} is retried by the schedule and then final; a release continues`, () => {
      for (const kind of ['capture', 'refund'] as const) {
        const states = tryCounts.map((tries) => after(modificationOf(kind, { tries }), refused(reason)).state)
        assert.deepEqual(states, ['doing', 'doing', 'doing', 'doing', 'refused', 'refused', 'refused'])
      }
      for (const tries of tryCounts)
        assert.equal(after(modificationOf('release', { tries }), refused(reason)).state, 'doing')
    })
  }

  for (const reason of [
    'bank_not_reached',
    'already_settled',
    'sums_differ',
    'duplicate_reference',
  ] as const) {
    it(`for ${reason} is never final: the modification continues, and needs manual review in the end`, () => {
      for (const kind of kinds)
        for (const tries of tryCounts) {
          const then = after(modificationOf(kind, { tries }), refused(reason))
          assert.deepEqual([then.state, then.tries], ['doing', tries + 1])
          assert.equal(then.needsReviewAt !== null, tries >= waits.length)
        }
    })
  }

  it('before the end of the bank’s day is retried when the bank should have closed the day of the charge', () => {
    for (const [takenAt, at, dueAt] of [
      ['2026-11-15T09:00:00+03:00', '2026-11-15T09:00:05+03:00', '2026-11-16T00:15:00+03:00'],
      ['2026-11-15T23:59:59+03:00', '2026-11-16T00:14:59+03:00', '2026-11-16T00:15:00+03:00'],
      ['2026-11-16T00:00:00+03:00', '2026-11-16T00:14:59+03:00', '2026-11-17T00:15:00+03:00'],
      // The bank's day counts, even if clocks change elsewhere on that day.
      ['2026-10-24T22:30:00Z', '2026-10-25T00:30:00Z', '2026-10-25T21:15:00Z'],
    ] as const) {
      const then = after(
        modificationOf('refund'),
        refused('not_settled_yet'),
        new Date(at),
        new Date(takenAt),
      )
      assert.deepEqual([then.dueAt, then.tries, then.needsReviewAt], [new Date(dueAt), 0, null])
    }
  })

  it('because the bank’s day is still open is retried every hour, and needs manual review after three days', () => {
    for (const kind of kinds) {
      for (const [at, isLong] of [
        [new Date('2026-11-16T00:15:00+03:00'), false],
        [new Date(began.getTime() + 3 * dayMs), false],
        [new Date(began.getTime() + 3 * dayMs + 1), true],
      ] as const) {
        const then = after(modificationOf(kind, { tries: 2 }), refused('not_settled_yet'), at)
        assert.deepEqual([then.state, then.tries, then.declineReason], ['doing', 2, 'not_settled_yet'])
        assert.deepEqual(then.dueAt, new Date(at.getTime() + hourMs))
        assert.deepEqual(then.needsReviewAt, isLong ? at : null)
      }
    }
  })
})

describe('the status of the charge', () => {
  it('confirms each kind of modification', () => {
    const chargeStatuses = ['taken', 'held', 'declined', 'undone', 'absent', 'unknown'] as const
    const doneBy = (kind: ModificationKind) =>
      chargeStatuses.filter((chargeStatus) => isConfirmedByChargeStatus(kind, chargeStatus))
    assert.deepEqual(doneBy('capture'), ['taken'])
    assert.deepEqual(doneBy('refund'), ['undone'])
    assert.deepEqual(doneBy('release'), ['declined', 'undone', 'absent'])
  })
})

describe('a bank that would repeat a partial refund', () => {
  it('is asked again only after the first request must have been executed', () => {
    const since = (ms: number) =>
      isSafeToRepeatPartialRefund(modificationOf('refund'), new Date(began.getTime() + ms), schedule)
    assert.deepEqual([since(0), since(hourMs - 1), since(hourMs)], [false, false, true])
    assert.equal(
      isSafeToRepeatPartialRefund(modificationOf('refund', { askedAt: null }), began, schedule),
      true,
    )
  })
})

describe('a void', () => {
  it('is tried for 36 hours, because banks’ days end at different times', () => {
    const since = (ms: number) => isWithinVoidWindow(began, new Date(began.getTime() + ms))
    assert.deepEqual([since(0), since(36 * hourMs - 1), since(36 * hourMs)], [true, true, false])
  })
})
