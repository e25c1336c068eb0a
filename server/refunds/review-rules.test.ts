import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { defaultPolicyFor } from './policy.ts'
import type { RefundFacts } from './review-rules.ts'
import { refundRuleNames, ruleViolationsOf, violationMessage } from './review-rules.ts'

/**
 * Default limits: a payment of 365 days, ten times the average payment, 20 % of all payments, three refunds
 * to a card.
 */
const policy = defaultPolicyFor({ live: true })

/** A refund of 100.00, of a merchant with a hundred payments of 100.00 and no earlier refund. */
const usual: RefundFacts = {
  ageDays: 3,
  chargedMinor: 10_000,
  takenMinor: 1_000_000,
  payments: 100,
  refundedWithThisMinor: 10_000,
  cardTimes: 0,
}

const cases: [string, Partial<RefundFacts>, ReturnType<typeof ruleViolationsOf>][] = [
  ['a usual refund', {}, []],
  ['a payment of just now', { ageDays: 0 }, []],
  ['a payment of a year ago', { ageDays: 365.9 }, []],
  ['a payment of longer ago', { ageDays: 366 }, [{ rule: 'age', found: 366, allowed: 365 }]],
  ['ten times the usual payment', { chargedMinor: 100_000 }, []],
  ['a little more than that', { chargedMinor: 100_001 }, [{ rule: 'amount', found: 11, allowed: 10 }]],
  ['a fifth of all', { refundedWithThisMinor: 200_000 }, []],
  [
    'a little more than a fifth',
    { refundedWithThisMinor: 200_001 },
    [{ rule: 'rate', found: 21, allowed: 20 }],
  ],
  ['more than was taken', { refundedWithThisMinor: 1_500_000 }, [{ rule: 'rate', found: 150, allowed: 20 }]],
  ['the third time to a card', { cardTimes: 2 }, []],
  ['the fourth time to a card', { cardTimes: 3 }, [{ rule: 'card', found: 4, allowed: 3 }]],
  [
    'nine payments, of which nobody knows what is usual',
    { payments: 9, refundedWithThisMinor: 1_000_000 },
    [],
  ],
  [
    'ten, of which somebody does',
    { payments: 10, refundedWithThisMinor: 1_000_000 },
    [{ rule: 'rate', found: 100, allowed: 20 }],
  ],
  ['nothing taken lately', { takenMinor: 0, payments: 0, refundedWithThisMinor: 10_000 }, []],
  [
    'the largest sums',
    { chargedMinor: 99_999_999_999, takenMinor: 99_999_999_999 * 100, payments: 10_000 },
    [{ rule: 'amount', found: 100, allowed: 10 }],
  ],
]

describe('the rules', () => {
  for (const [what, facts, violations] of cases) {
    it(`${violations.length === 0 ? 'let pass' : 'object to'} ${what}`, () => {
      assert.deepEqual(ruleViolationsOf({ ...usual, ...facts }, policy), violations)
    })
  }

  it('return all violations, in the order of the rules', () => {
    const facts = { ageDays: 9_999, chargedMinor: 10 ** 7, takenMinor: 10 ** 6, payments: 100, cardTimes: 99 }
    const found = ruleViolationsOf({ ...facts, refundedWithThisMinor: 10 ** 7 }, policy)
    assert.deepEqual(
      found.map(({ rule }) => rule),
      refundRuleNames,
    )
  })

  it('use the limits of the merchant’s policy', () => {
    const facts = {
      ...usual,
      ageDays: 500,
      chargedMinor: 200_000,
      refundedWithThisMinor: 900_000,
      cardTimes: 9,
    }
    assert.equal(ruleViolationsOf(facts, policy).length, 4)
    const own = { ...policy, maxAgeDays: 500, usualTimes: 20, ratePercent: 90, cardTimes: 10 }
    assert.deepEqual(ruleViolationsOf(facts, own), [])
  })
})

it('a violation is described in both languages, with the value found and the limit', () => {
  const messages = refundRuleNames.map((rule) => violationMessage({ rule, found: 12, allowed: 7 }))
  assert.deepEqual(
    messages.map(({ tr }) => tr),
    [
      'Ödeme 12 gün önce alındı; sınır 7 gün.',
      'Tutar, olağan bir ödemenin 12 katı; sınır 7 kat.',
      'Son 30 günde tahsil edilen tutarın %12 kadarı iade ediliyor; sınır %7.',
      'Bu karta son 30 gündeki 12. iade; sınır 7.',
    ],
  )
  assert.deepEqual(
    messages.map(({ en }) => en),
    [
      'The payment is 12 days old; the limit is 7 days.',
      'The amount is 12 times a usual payment; the limit is 7 times.',
      'Refunds are 12 % of the amount collected in the last 30 days; the limit is 7 %.',
      'This is refund number 12 to this card in 30 days; the limit is 7.',
    ],
  )
})
