import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ChargeStatus } from '../../connectors/index.ts'
import type { Attempt } from '../records/attempt.ts'
import type { Modification } from '../records/modification.ts'
import type { Payment } from '../records/payment.ts'
import type { Verification, VerificationKind, VerificationWithPayment } from '../records/verification.ts'
import { compareWithBank } from './compare.ts'

const now = new Date('2026-11-15T09:30:00Z')
const hourAgo = new Date(now.getTime() - 3_600_000)
const reference = '10000000000042ABCDEF'

function modification(id: number, more: Partial<Modification> = {}): Modification {
  const done = {
    id,
    kind: 'refund',
    state: 'done',
    amountMinor: 3_000,
    bankAmountMinor: null,
    refundedMinor: 0,
  }
  return { ...done, askedAt: hourAgo, endedAt: hourAgo, declineReason: null, ...more } as Modification
}

function context(
  kind: VerificationKind,
  modifications: Modification[] = [],
  more: Partial<Attempt> = {},
): VerificationWithPayment {
  const attempt = {
    reference,
    currency: 'TRY',
    chargedMinor: 10_000,
    bankChargedMinor: null,
    ...more,
  } as Attempt
  const own = modifications.at(-1)
  const isCharge = kind === 'charge' || kind === 'hold'
  const amountMinor = isCharge ? attempt.chargedMinor : (own?.amountMinor ?? 10_000)
  const verification = { id: isCharge ? 1 : (own?.id ?? 2), kind, amountMinor } as Verification
  return { payment: {} as Payment, attempt, modifications, verification }
}

function foundCharge(
  status: 'taken' | 'held',
  amountMinor: number,
  refundedMinor: number | null = 0,
): ChargeStatus {
  const words = { code: '00', message: null, bankReferences: {} }
  return { status, echoed: { reference, amountMinor, currency: 'TRY' }, refundedMinor, ...words }
}

function result(of: VerificationWithPayment, chargeStatus: ChargeStatus): string {
  const comparison = compareWithBank(of, chargeStatus, now)
  return comparison.result === 'different' ? `different ${comparison.bankAmountMinor}` : comparison.result
}

const unknown: ChargeStatus = { status: 'unknown', why: 'silence' }
const absent: ChargeStatus = { status: 'absent' }
const undone: ChargeStatus = { status: 'undone' }
const declined: ChargeStatus = { status: 'declined', reason: 'other', code: '05', message: null }

describe('a charge or a hold', () => {
  it('is the same or different by the bank’s amount', () => {
    assert.equal(result(context('charge'), foundCharge('taken', 10_000)), 'same')
    assert.equal(result(context('charge'), foundCharge('taken', 11_000)), 'different 11000')
    assert.equal(result(context('hold'), foundCharge('held', 10_000)), 'same')
    assert.equal(result(context('hold'), foundCharge('held', 9_000)), 'different 9000')
  })

  it('stays open after any other answer', () => {
    for (const chargeStatus of [unknown, absent, declined, undone, foundCharge('held', 11_000)])
      assert.equal(result(context('charge'), chargeStatus), 'open', chargeStatus.status)
    assert.equal(result(context('hold'), foundCharge('taken', 10_000)), 'open')
    const other = foundCharge('taken', 11_000)
    if (other.status !== 'taken') assert.fail()
    for (const shown of [{ reference: '10000000000043ABCDEF' }, { currency: 'USD' }])
      assert.equal(result(context('charge'), { ...other, echoed: { ...other.echoed, ...shown } }), 'open')
  })

  it('that is undone is the same if we released or refunded all of it', () => {
    assert.equal(result(context('charge', [modification(2, { amountMinor: 10_000 })]), undone), 'same')
    assert.equal(result(context('charge', [modification(2)]), undone), 'open')
    assert.equal(result(context('hold', [modification(2, { kind: 'release' })]), undone), 'same')
    assert.equal(
      result(context('hold', [modification(2, { kind: 'release', state: 'doing' })]), undone),
      'open',
    )
  })

  it('is not different while it is being modified, or is about to be', () => {
    const doing = [modification(2, { state: 'doing', askedAt: null })]
    assert.equal(result(context('charge', doing), foundCharge('taken', 11_000)), 'open')
    assert.equal(result(context('charge', doing), foundCharge('taken', 10_000)), 'same')
  })
})

describe('a capture or a release', () => {
  it('is compared with the captured amount, and then the earlier hold can no longer be compared', () => {
    const captured = [modification(2, { kind: 'capture', amountMinor: 10_000 })]
    assert.equal(result(context('capture', captured), foundCharge('taken', 10_000)), 'same')
    assert.equal(result(context('capture', captured), foundCharge('taken', 9_000)), 'different 9000')
    assert.equal(result(context('capture', captured), foundCharge('held', 10_000)), 'open')
    assert.equal(result(context('hold', captured), foundCharge('taken', 9_000)), 'same')
  })

  it('is the same as a release if nothing is left, and otherwise stays open', () => {
    const released = [modification(2, { kind: 'release', amountMinor: 10_000 })]
    for (const chargeStatus of [undone, absent, declined])
      assert.equal(result(context('release', released), chargeStatus), 'same')
    for (const chargeStatus of [unknown, foundCharge('held', 10_000)])
      assert.equal(result(context('release', released), chargeStatus), 'open')
  })
})

describe('a refund', () => {
  it('is the bank’s refunded total minus the other refunds', () => {
    const one = [modification(2)]
    assert.equal(result(context('refund', one), foundCharge('taken', 10_000, 3_000)), 'same')
    assert.equal(result(context('refund', one), foundCharge('taken', 10_000, 2_900)), 'different 2900')
    const two = [modification(2, { bankAmountMinor: 2_900 }), modification(3, { amountMinor: 1_000 })]
    assert.equal(result(context('refund', two), foundCharge('taken', 10_000, 3_900)), 'same')
    assert.equal(result(context('refund', two), foundCharge('taken', 10_000, 4_000)), 'different 1100')
  })

  it('stays open while the total may or may not include another refund', () => {
    const own = modification(3, { amountMinor: 1_000 })
    const sums = [1_000, 4_000].map((sum) => foundCharge('taken', 10_000, sum))
    const results = (other: Modification) =>
      sums.map((chargeStatus) => result(context('refund', [other, own]), chargeStatus))
    assert.deepEqual(results(modification(2, { state: 'doing' })), ['open', 'open'])
    assert.deepEqual(results(modification(2, { endedAt: new Date(now.getTime() - 59_000) })), [
      'open',
      'open',
    ])
    assert.deepEqual(results(modification(2)), ['open', 'same'])
    // A refund that was never requested, or was refused, is in no total.
    for (const unasked of [{ askedAt: null }, { declineReason: 'sums_differ' as const }])
      assert.deepEqual(results(modification(2, { state: 'doing', ...unasked })), ['same', 'different 4000'])
    assert.deepEqual(results(modification(2, { state: 'doing', declineReason: 'duplicate_reference' })), [
      'open',
      'open',
    ])
  })

  it('stays open if the bank reports another charge amount or an impossible amount', () => {
    assert.equal(result(context('refund', [modification(2)]), foundCharge('taken', 9_000, 3_000)), 'open')
    assert.equal(
      result(context('refund', [modification(2)]), foundCharge('taken', 10_000, 99_999_999_999_999)),
      'open',
    )
    assert.equal(result(context('charge'), foundCharge('taken', 99_999_999_999_999)), 'open')
    assert.equal(result(context('charge'), foundCharge('taken', -1)), 'open')
  })

  it('of a part stays open if the charge is undone', () => {
    assert.equal(result(context('refund', [modification(2)]), undone), 'open')
  })

  it('stays open if the bank reports no refunded total, or zero', () => {
    assert.equal(result(context('refund', [modification(2)]), foundCharge('taken', 10_000, null)), 'open')
    assert.equal(result(context('refund', [modification(2)]), foundCharge('taken', 10_000, 0)), 'open')
  })

  it('of the whole charge is the same if the charge is undone, whatever its amount', () => {
    const all = modification(2, { amountMinor: 10_000 })
    assert.equal(result(context('refund', [all]), undone), 'same')
    const more = modification(2, { amountMinor: 11_000 })
    assert.equal(result(context('refund', [more], { bankChargedMinor: 11_000 }), undone), 'same')
  })
})
