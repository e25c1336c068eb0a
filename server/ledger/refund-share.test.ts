import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { maxAmountMinor } from '../../kit/money/money.ts'
import type { ChargeAmounts } from './refund-share.ts'
import { refundShareOf } from './refund-share.ts'

function all(charge: ChargeAmounts, refunds: readonly number[]) {
  let before = 0
  return refunds.map((refund) => {
    const given = refundShareOf(charge, before, refund)
    before += refund
    return [given.chargedMinor, given.commissionMinor]
  })
}

/** A commission borne by the merchant does not change the charge; one borne by the payer is added to it. */
const charges = fc
  .tuple(fc.integer({ min: 1, max: maxAmountMinor }), fc.nat({ max: 999_999 }), fc.boolean())
  .map(([amountMinor, share, isPayers]): ChargeAmounts => {
    const commissionMinor = Number((BigInt(amountMinor) * BigInt(share)) / 1_000_000n)
    return { amountMinor, chargedMinor: amountMinor + (isPayers ? commissionMinor : 0), commissionMinor }
  })

describe('refunds return', () => {
  it('the whole charge and commission for the whole amount', () => {
    fc.assert(
      fc.property(charges, (charge) => {
        const { chargedMinor, commissionMinor } = charge
        assert.deepEqual(refundShareOf(charge, 0, charge.amountMinor), { chargedMinor, commissionMinor })
      }),
    )
  })

  it('a share in proportion, and the last refund the remainder, whoever bears the commission', () => {
    const merchants = { amountMinor: 10_000, chargedMinor: 10_000, commissionMinor: 179 }
    assert.deepEqual(all(merchants, [3_333, 3_333, 3_334]), [
      [3_333, 60],
      [3_333, 59],
      [3_334, 60],
    ])
    const payers = { amountMinor: 10_000, chargedMinor: 10_450, commissionMinor: 450 }
    assert.deepEqual(all(payers, [3_333, 3_333, 3_334]), [
      [3_483, 150],
      [3_483, 150],
      [3_484, 150],
    ])
  })

  it('exactly the charge and its commission in total, however the amount is split', () => {
    const cuts = fc.array(fc.nat({ max: 1_000_000 }), { maxLength: 30 })
    fc.assert(
      fc.property(charges, cuts, (charge, fractions) => {
        const at = fractions.map((fraction) =>
          Number((BigInt(charge.amountMinor) * BigInt(fraction)) / 1_000_000n),
        )
        const bounds = [...new Set([0, ...at, charge.amountMinor])].toSorted((a, b) => a - b)
        const refunds = bounds.slice(1).map((bound, index) => bound - (bounds[index] ?? 0))
        const given = all(charge, refunds)
        const sum = (column: 0 | 1) => given.reduce((whole, row) => whole + (row[column] ?? 0), 0)
        assert.deepEqual([sum(0), sum(1)], [charge.chargedMinor, charge.commissionMinor])
        for (const [index, [charged = 0, commission = 0]] of given.entries()) {
          assert.ok(charged >= (refunds[index] ?? 0), 'the payer gets back at least what is refunded')
          assert.ok(commission >= 0 && commission <= charged)
        }
      }),
    )
  })

  it('exactly the charge and its commission for every split of a small amount', () => {
    for (const charge of [
      { amountMinor: 7, chargedMinor: 7, commissionMinor: 7 },
      { amountMinor: 7, chargedMinor: 8, commissionMinor: 1 },
      { amountMinor: 7, chargedMinor: 13, commissionMinor: 6 },
      { amountMinor: 7, chargedMinor: 7, commissionMinor: 0 },
    ]) {
      for (let cuts = 0; cuts < 2 ** 6; cuts++) {
        const refunds = [1]
        for (let bit = 0; bit < 6; bit++) {
          if (cuts & (2 ** bit)) refunds.push(1)
          else refunds.push((refunds.pop() ?? 0) + 1)
        }
        const given = all(charge, refunds)
        const sums = given.reduce(([a = 0, b = 0], [c = 0, d = 0]) => [a + c, b + d], [0, 0])
        assert.deepEqual(sums, [charge.chargedMinor, charge.commissionMinor], String(refunds))
        assert.ok(given.every(([charged = 0, commission = 0]) => commission >= 0 && commission <= charged))
      }
    }
  })

  it('the commission in proportion to the charge after rounding', () => {
    assert.deepEqual(all({ amountMinor: 9_990, chargedMinor: 10_445, commissionMinor: 899 }, [28]), [[29, 2]])
  })

  it('never more than the requested amount', () => {
    const charge = { amountMinor: 100, chargedMinor: 100, commissionMinor: 2 }
    assert.throws(() => refundShareOf(charge, 60, 41))
    assert.throws(() => refundShareOf(charge, 0, 101))
  })
})
