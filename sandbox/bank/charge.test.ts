import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { chargeHistoryOf } from './charge.ts'
import type { ChargeOperation } from './store.ts'

const at = (second: number) => new Date(Date.parse('2026-11-15T20:00:00Z') + second * 1000)

const operation = (
  kind: ChargeOperation['kind'],
  amount: number,
  second: number,
  part: string | null = null,
): ChargeOperation => ({
  kind,
  amount,
  part,
  at: at(second),
})

const summary = (operations: readonly ChargeOperation[], second = 100_000) => {
  const past = chargeHistoryOf(operations, at(second))
  const { held, taken, gross, refunded } = past.balance
  return {
    held,
    taken,
    gross,
    refunded,
    operations: past.operations.map(({ kind, amount }) => `${kind} ${amount}`),
  }
}

const [held, sale] = [operation('held', 1000, 0), operation('authorized', 1000, 0)]

describe('the history of a charge', () => {
  it('is in order of time, and does not contain future operations', () => {
    const operations = [sale, operation('refunded', 400, 90, 'late'), operation('refunded', 100, 10, 'soon')]
    const [before, between, after] = [5, 10, 90].map((second) => summary(operations, second))
    assert.deepEqual(before?.operations, ['authorized 1000'])
    assert.deepEqual([between?.taken, between?.refunded], [900, 100])
    assert.deepEqual(after, {
      held: 0,
      taken: 500,
      gross: 1000,
      refunded: 500,
      operations: ['authorized 1000', 'refunded 100', 'refunded 400'],
    })
  })

  it('contains a delayed capture only if the amount is still held when it is due', () => {
    const late = operation('captured', 600, 90)
    for (const earlier of [operation('captured', 700, 10), operation('voided', 1000, 10)]) {
      assert.deepEqual(summary([held, late, earlier]), summary([held, earlier]))
    }
    assert.equal(summary([held, late]).taken, 600)
  })

  it('contains a delayed void only if the charge is whole and not settled when it is due; the void covers the amount left then', () => {
    const late = operation('voided', 1000, 90)
    for (const earlier of [operation('voided', 1000, 10), operation('refunded', 1, 10, 'one')]) {
      assert.deepEqual(summary([sale, late, earlier]), summary([sale, earlier]))
    }
    assert.equal(
      summary([sale, operation('voided', 1000, 4 * 3600)]).taken,
      1000,
      'after midnight in Istanbul',
    )
    assert.equal(summary([held, operation('voided', 1000, 4 * 3600)]).held, 0)
    assert.deepEqual(summary([held, late, operation('captured', 600, 10)]).operations, [
      'held 1000',
      'captured 600',
      'voided 600',
    ])
  })

  it('contains a delayed refund only if the amount is still taken, and each part once', () => {
    const late = operation('refunded', 600, 90, 'one')
    const first = operation('refunded', 600, 10, 'one')
    assert.deepEqual(summary([sale, late, first]), summary([sale, first]))
    const other = operation('refunded', 500, 10, 'two')
    assert.deepEqual(summary([sale, late, other]), summary([sale, other]))
    const voided = operation('voided', 1000, 10)
    assert.deepEqual(summary([sale, late, voided]), summary([sale, voided]))
    assert.equal(summary([sale, late, operation('refunded', 400, 10, 'two')]).taken, 0)
  })
})
