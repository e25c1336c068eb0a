import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import type { Refund } from './refund.ts'
import { refundStateEdges, refundStates, refundTransitionEventKind, shownRefund } from './refund.ts'

describe('the state graph of a refund', () => {
  it('reaches every state, has each transition once, and emits an event at each end', () => {
    assert.deepEqual(refundStateEdges.map(({ to }) => to).toSorted(), [...refundStates].toSorted())
    const last = refundStates.filter((state) => !refundStateEdges.some(({ from }) => from === state))
    assert.deepEqual(last, ['executed', 'rejected', 'failed'])
    for (const state of last)
      assert.equal(refundStateEdges.find(({ to }) => to === state)?.event, `refund.${state}`)
  })

  it('has no other transition', () => {
    assert.equal(refundTransitionEventKind('nothing', 'under_review'), 'refund.created')
    assert.equal(refundTransitionEventKind('under_review', 'approved'), undefined)
    for (const [from, to] of [
      ['nothing', 'approved'],
      ['under_review', 'executed'],
      ['rejected', 'approved'],
      ['executed', 'failed'],
    ] as const)
      assert.throws(() => refundTransitionEventKind(from, to), /does not go/)
  })

  it('matches the table in docs/internals/refunds.md', () => {
    const page = readFileSync(
      join(import.meta.dirname, '..', '..', 'docs', 'internals', 'refunds.md'),
      'utf8',
    )
    const rows = refundStateEdges.map(
      ({ from, to, when, event }) => `| \`${from}\` | \`${to}\` | ${when} | ${event ? `\`${event}\` ` : ''}|`,
    )
    assert.ok(page.includes(rows.join('\n')), rows.join('\n'))
  })
})

it('a merchant sees the reason for a rejection or failure, and never the decider or the reason for an approval', () => {
  const refund: Refund = {
    ...{ merchantId: 1, id: 2, paymentId: 3, state: 'approved', amountMinor: 5, currency: 'TRY' },
    ...{ chargedMinor: 6, commissionMinor: 1, description: 'why', requestedBy: 'key 1', policy: 'manual' },
    ...{ requestedAt: new Date('2026-11-15T21:30:00Z'), dueAt: null, violations: [], endedAt: null },
    ...{ decidedBy: 'Ayşe Işık', decidedAt: new Date('2026-11-15T21:31:00Z'), reason: 'a reason' },
    ...{ code: '12', message: 'Geçersiz işlem', nextBankCallAt: null, declineReason: null },
  }
  const zone = { timeZone: 'Europe/Istanbul' }
  const reasonOf = (more: Partial<Refund>) => shownRefund({ ...refund, ...more }, zone).reason
  assert.equal(reasonOf({ state: 'approved' }), null)
  assert.equal(reasonOf({ state: 'executed' }), null)
  assert.equal(reasonOf({ state: 'rejected' }), 'a reason')
  assert.equal(reasonOf({ state: 'failed' }), '12 Geçersiz işlem')
  assert.equal(reasonOf({ state: 'failed', message: null }), '12')
  assert.equal(reasonOf({ state: 'failed', code: null, message: null }), null)
  const shown = shownRefund(refund, zone)
  assert.equal(shown.reviewed_at, '2026-11-16T00:31:00+03:00')
  assert.ok(!JSON.stringify(shown).includes('Ayşe'))
})
