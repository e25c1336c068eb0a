import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Deed } from './book.ts'
import { pastOf } from './book.ts'

const at = (second: number) => new Date(Date.parse('2026-11-15T20:00:00Z') + second * 1000)

const deed = (kind: Deed['kind'], amount: number, second: number, part: string | null = null): Deed => ({
  kind,
  amount,
  part,
  at: at(second),
})

const told = (deeds: readonly Deed[], second = 100_000) => {
  const past = pastOf(deeds, at(second))
  const { held, taken, gross, refunded } = past.balance
  return { held, taken, gross, refunded, deeds: past.deeds.map(({ kind, amount }) => `${kind} ${amount}`) }
}

const [held, sale] = [deed('held', 1000, 0), deed('authorized', 1000, 0)]

describe('the past of a charge', () => {
  it('is in the order of time, and nobody knows what is to come', () => {
    const deeds = [sale, deed('refunded', 400, 90, 'late'), deed('refunded', 100, 10, 'soon')]
    const [before, between, after] = [5, 10, 90].map((second) => told(deeds, second))
    assert.deepEqual(before?.deeds, ['authorized 1000'])
    assert.deepEqual([between?.taken, between?.refunded], [900, 100])
    assert.deepEqual(after, {
      held: 0,
      taken: 500,
      gross: 1000,
      refunded: 500,
      deeds: ['authorized 1000', 'refunded 100', 'refunded 400'],
    })
  })

  it('has a capture only of what is still held', () => {
    const late = deed('captured', 600, 90)
    for (const earlier of [deed('captured', 700, 10), deed('voided', 1000, 10)]) {
      assert.deepEqual(told([held, late, earlier]), told([held, earlier]))
    }
    assert.equal(told([held, late]).taken, 600)
  })

  it('has a void only of what is there, is whole, and is not settled; it undoes what is there then', () => {
    const late = deed('voided', 1000, 90)
    for (const earlier of [deed('voided', 1000, 10), deed('refunded', 1, 10, 'one')]) {
      assert.deepEqual(told([sale, late, earlier]), told([sale, earlier]))
    }
    assert.equal(told([sale, deed('voided', 1000, 4 * 3600)]).taken, 1000, 'after midnight in Istanbul')
    assert.equal(told([held, deed('voided', 1000, 4 * 3600)]).held, 0)
    assert.deepEqual(told([held, late, deed('captured', 600, 10)]).deeds, [
      'held 1000',
      'captured 600',
      'voided 600',
    ])
  })

  it('has a refund only of what is taken, and of each part one', () => {
    const late = deed('refunded', 600, 90, 'one')
    const first = deed('refunded', 600, 10, 'one')
    assert.deepEqual(told([sale, late, first]), told([sale, first]))
    const other = deed('refunded', 500, 10, 'two')
    assert.deepEqual(told([sale, late, other]), told([sale, other]))
    const voided = deed('voided', 1000, 10)
    assert.deepEqual(told([sale, late, voided]), told([sale, voided]))
    assert.equal(told([sale, late, deed('refunded', 400, 10, 'two')]).taken, 0)
  })
})
