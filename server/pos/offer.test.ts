import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { maxAmountMinor } from '../../kit/money/money.ts'
import { repetitions } from '../../testing/harness/tier.ts'
import type { CardKind } from '../bins/index.ts'
import { familySlugs, segmentSlugs } from '../bins/index.ts'
import type { Commission, PricedPos } from './commission.ts'
import { otherCards, ratedFamilies } from './commission.ts'
import type { OfferInput, Plan } from './offer.ts'
import { candidatesForCard, plansFor } from './offer.ts'
import { posChoiceText } from './offer-texts.ts'
import { posStates } from './pos.ts'

const longAgo = new Date('2026-01-01T00:00:00Z')

const bonusCard: CardKind = {
  bankCode: 62,
  bankName: 'Garanti BBVA',
  brand: 'visa',
  type: 'credit',
  family: 'bonus',
  segment: 'personal',
  country: 'TR',
  prepaid: false,
}

/** Rates by number of installments, written `{ 1: 1.79 }`, for one family and personal cards. */
function rates(
  posId: number,
  family: Commission['family'],
  percents: Record<number, number>,
  commissionBy: Commission['commissionBy'] = 'merchant',
): Commission[] {
  return Object.entries(percents).map(([installment, percent]) => ({
    id: posId * 1000 + ratedFamilies.indexOf(family) * 100 + Number(installment),
    posId,
    family,
    segment: 'personal',
    installment: Number(installment),
    rate: Math.round(percent * 10_000),
    commissionBy,
    validFrom: longAgo,
    revision: 1,
    createdAt: longAgo,
  }))
}

function pos(id: number, fields: Partial<PricedPos['pos']>, ...commissions: Commission[][]): PricedPos {
  return {
    pos: {
      merchantId: 1,
      id,
      name: `POS ${id}`,
      bankCode: 62,
      connector: 'sandbox',
      currencies: ['TRY'],
      families: [],
      state: 'active',
      settings: {},
      priority: 10,
      createdAt: longAgo,
      updatedAt: longAgo,
      ...fields,
    },
    commissions: commissions.flat(),
  }
}

const bonusPos = pos(
  1,
  { families: ['bonus'], currencies: ['TRY', 'USD'] },
  rates(1, 'bonus', { 1: 1.79, 2: 3.29, 3: 4.29 }),
  rates(1, otherCards, { 1: 2.19 }),
)
const worldPos = pos(
  2,
  { families: ['world'] },
  rates(2, 'world', { 1: 1, 3: 3 }, 'customer'),
  rates(2, otherCards, { 1: 1.5 }),
)

function ask(question: Partial<OfferInput>): Plan[] {
  return plansFor({
    card: bonusCard,
    amountMinor: 10_000,
    currency: 'TRY',
    installmentsOffered: true,
    poses: [worldPos, bonusPos],
    ...question,
  })
}

const countsOf = (plans: readonly Plan[]) => plans.map(({ installment }) => installment)

describe('the chosen POS', () => {
  it('is one of the card’s own family, even if another is cheaper', () => {
    const plans = ask({})
    assert.deepEqual(countsOf(plans), [1, 2, 3])
    assert.ok(plans.every((plan) => plan.pos.id === 1 && plan.commission.family === 'bonus'))
    assert.deepEqual(plans[0]?.reason, { among: 'own_family', by: [] })
  })

  it('has the lowest commission among those, for each number of installments separately', () => {
    const second = pos(
      3,
      { families: ['bonus'] },
      rates(3, 'bonus', { 1: 1.99, 3: 3.99 }),
      rates(3, otherCards, { 1: 2 }),
    )
    const chosen = ask({ poses: [bonusPos, second] }).map((plan) => [
      plan.installment,
      plan.pos.id,
      plan.reason.by,
    ])
    assert.deepEqual(chosen, [
      [1, 1, ['lowest_commission']],
      [2, 1, []],
      [3, 3, ['lowest_commission']],
    ])
  })

  it('is the first by priority if commissions are equal, and the oldest if priorities are equal', () => {
    const same = (id: number, priority: number) =>
      pos(
        id,
        { families: ['bonus'], priority },
        rates(id, 'bonus', { 1: 1.79 }),
        rates(id, otherCards, { 1: 2 }),
      )
    const [byPriority] = ask({ poses: [same(4, 3), same(5, 2), same(6, 9)] })
    assert.deepEqual([byPriority?.pos.id, byPriority?.reason.by], [5, ['priority']])
    const [byAge] = ask({ poses: [same(9, 1), same(8, 1)] })
    assert.deepEqual([byAge?.pos.id, byAge?.reason.by], [8, ['age']])
  })

  it('has a reason that names every step of the choice', () => {
    const other = (id: number, priority: number, rate: number) =>
      pos(id, { priority }, rates(id, otherCards, { 1: rate }))
    const [plan] = ask({
      card: { ...bonusCard, family: 'axess' },
      poses: [other(1, 1, 2), other(2, 3, 1.5), other(3, 10, 1.5)],
    })
    assert.ok(plan)
    assert.deepEqual([plan.pos.id, plan.reason.by], [2, ['lowest_commission', 'priority']])
    assert.equal(
      posChoiceText(plan, { card: { ...bonusCard, family: 'axess' }, currency: 'TRY' }),
      'no POS accepts Axess cards as its own in TRY; the lowest commission, 1.5 %; among equals: the highest priority, 3.',
    )
  })

  it('is the cheapest for a card whose family no POS accepts, in a single payment', () => {
    const plans = ask({ card: { ...bonusCard, family: 'axess' } })
    assert.deepEqual(countsOf(plans), [1])
    assert.deepEqual([plans[0]?.pos.id, plans[0]?.reason], [2, { among: 'all', by: ['lowest_commission'] }])
  })

  it('is the first active one by priority for an unknown card, in a single payment, whatever it costs', () => {
    const first = pos(7, { priority: 1 }, rates(7, otherCards, { 1: 9 }))
    const off = pos(3, { priority: 1, state: 'off' }, rates(3, otherCards, { 1: 0 }))
    const plans = ask({ card: undefined, poses: [worldPos, off, first, bonusPos] })
    assert.deepEqual(countsOf(plans), [1])
    assert.deepEqual(
      [plans[0]?.pos.id, plans[0]?.reason],
      [7, { among: 'all_for_unknown_card', by: ['priority'] }],
    )
  })

  it('is never off, refund only, or without the currency', () => {
    for (const state of ['off', 'refund_only'] as const) {
      const [single, ...more] = ask({ poses: [{ ...bonusPos, pos: { ...bonusPos.pos, state } }, worldPos] })
      assert.deepEqual([single?.pos.id, more], [2, []])
    }
    assert.deepEqual(ask({ currency: 'EUR' }), [])
    assert.deepEqual(ask({ poses: [] }), [])
  })

  it('does not use rates of a family that it no longer accepts', () => {
    const former = { ...bonusPos, pos: { ...bonusPos.pos, families: [] } }
    const plans = ask({ poses: [former] })
    assert.deepEqual(
      plans.map(({ installment, commission }) => [installment, commission.family]),
      [[1, otherCards]],
    )
  })
})

describe('installments', () => {
  it('are only for Turkish credit cards in lira', () => {
    const questions = [
      { card: { ...bonusCard, type: 'debit' as const } },
      { card: { ...bonusCard, country: 'DE' } },
      { card: { ...bonusCard, prepaid: true } },
      { currency: 'USD' },
      { installmentsOffered: false },
    ]
    for (const question of questions) assert.deepEqual(countsOf(ask(question)), [1], JSON.stringify(question))
  })

  it('give the remainder of the division to the first parts', () => {
    const third = ask({}).find(({ installment }) => installment === 3)
    assert.deepEqual(third?.installmentsMinor, [3334, 3333, 3333])
  })

  it('are at least one minor unit each: three units are not paid in four parts', () => {
    const many = pos(
      1,
      { families: ['bonus'] },
      rates(1, 'bonus', { 2: 1, 3: 1, 4: 1 }),
      rates(1, otherCards, { 1: 1 }),
    )
    assert.deepEqual(countsOf(ask({ amountMinor: 3, poses: [many] })), [1, 2, 3])
  })
})

describe('the bearer of the commission', () => {
  it('can be the merchant, who then receives less than the amount', () => {
    const [, , third] = ask({})
    const { chargedMinor, commissionMinor, merchantGetsMinor } = third ?? {}
    assert.deepEqual([chargedMinor, commissionMinor, merchantGetsMinor], [10_000, 429, 9_571])
  })

  it('can be the customer, who then pays more from two installments on, but never in a single payment', () => {
    const worldCard: CardKind = { ...bonusCard, family: 'world' }
    const [single, third] = ask({ card: worldCard })
    assert.deepEqual(
      [single?.chargedMinor, single?.commissionMinor, single?.merchantGetsMinor],
      [10_000, 100, 9_900],
    )
    assert.deepEqual(
      [third?.chargedMinor, third?.commissionMinor, third?.merchantGetsMinor],
      [10_300, 300, 10_000],
    )
  })

  it('cannot raise a charge above the maximum amount: such a plan is not offered', () => {
    const plans = ask({ card: { ...bonusCard, family: 'world' }, amountMinor: maxAmountMinor })
    assert.deepEqual(countsOf(plans), [1])
  })
})

describe('the rates of a card', () => {
  const input = { installmentsOffered: true, poses: [worldPos, bonusPos] }
  const idsOf = (card: CardKind | undefined) =>
    candidatesForCard({ ...input, card }).map(({ commission }) => commission.id)

  it('are those that the choice is made from', () => {
    assert.deepEqual(
      idsOf(bonusCard),
      rates(1, 'bonus', { 1: 0, 2: 0, 3: 0 }).map(({ id }) => id),
    )
    const others = [...rates(2, otherCards, { 1: 0 }), ...rates(1, otherCards, { 1: 0 })].map(({ id }) => id)
    assert.deepEqual(idsOf({ ...bonusCard, family: null }), others)
    assert.deepEqual(idsOf(undefined), [])
  })
})

describe('for all tables, amounts and rates', () => {
  const posId = fc.integer({ min: 1, max: 6 })
  const commission = fc.record({
    family: fc.constantFrom(...ratedFamilies.slice(0, 3), otherCards),
    segment: fc.constantFrom(...segmentSlugs),
    installment: fc.oneof(fc.constant(1), fc.integer({ min: 2, max: 36 })),
    rate: fc.oneof(
      fc.integer({ min: 0, max: 999_999 }),
      fc.integer({ min: 0, max: 30 }).map((percent) => percent * 10_000),
    ),
    commissionBy: fc.constantFrom('merchant' as const, 'customer' as const),
  })
  const priced = fc
    .tuple(
      posId,
      fc.array(commission, { maxLength: 30 }),
      fc.subarray(familySlugs.slice(0, 3)),
      fc.constantFrom(...posStates, 'active' as const, 'active' as const),
      fc.integer({ min: 1, max: 3 }),
      fc.subarray(['TRY', 'USD'], { minLength: 1 }),
    )
    .map(([id, commissions, families, state, priority, currencies]) => {
      const unique = new Map(
        commissions.map((each) => [`${each.family} ${each.segment} ${each.installment}`, each]),
      )
      const own = [...unique.values()].map((each, index) => ({
        ...each,
        id: id * 1000 + index,
        posId: id,
        validFrom: longAgo,
        revision: 1,
        createdAt: longAgo,
      }))
      return pos(id, { families, state, priority, currencies }, own)
    })
  const question: fc.Arbitrary<OfferInput> = fc.record({
    card: fc.option(
      fc
        .record({
          family: fc.option(fc.constantFrom(...familySlugs.slice(0, 4))),
          segment: fc.constantFrom(...segmentSlugs),
          type: fc.constantFrom('credit' as const, 'credit' as const, 'debit' as const),
          country: fc.constantFrom('TR', 'TR', 'DE'),
          prepaid: fc.boolean(),
        })
        .map((fields): CardKind => ({ ...bonusCard, ...fields })),
      { nil: undefined },
    ),
    amountMinor: fc.oneof(fc.integer({ min: 1, max: maxAmountMinor }), fc.integer({ min: 1, max: 100 })),
    currency: fc.constantFrom('TRY', 'USD'),
    installmentsOffered: fc.boolean(),
    poses: fc.uniqueArray(priced, { selector: ({ pos: { id } }) => id, maxLength: 6 }),
  })

  it('no minor unit is lost or created, and installments differ by at most one', () => {
    fc.assert(
      fc.property(question, (input) => {
        for (const plan of plansFor(input)) {
          const { installment, chargedMinor, commissionMinor, merchantGetsMinor, installmentsMinor } = plan
          const sum = installmentsMinor.reduce((total, part) => total + part, 0)
          assert.equal(merchantGetsMinor + commissionMinor, chargedMinor)
          assert.equal(sum, chargedMinor)
          assert.equal(installmentsMinor.length, installment)
          assert.ok(Math.max(...installmentsMinor) - Math.min(...installmentsMinor) <= 1)
          assert.ok(installmentsMinor.every((part) => Number.isSafeInteger(part) && part >= 1))
          assert.ok(commissionMinor >= 0 && merchantGetsMinor >= 0 && chargedMinor <= maxAmountMinor)
          const isMore = chargedMinor > input.amountMinor
          assert.ok(!isMore || (installment > 1 && plan.commission.commissionBy === 'customer'))
          assert.equal(isMore ? merchantGetsMinor : chargedMinor, input.amountMinor)
        }
      }),
      { numRuns: repetitions(2000) },
    )
  })

  it('the result does not depend on the order of POS and rates', () => {
    const shuffled = question.chain((input) =>
      fc.tuple(
        fc.constant(input),
        fc.shuffledSubarray(input.poses.map(reversed), { minLength: input.poses.length }),
      ),
    )
    fc.assert(
      fc.property(shuffled, ([input, poses]) => {
        assert.deepEqual(summed(plansFor({ ...input, poses })), summed(plansFor(input)))
      }),
      { numRuns: repetitions(1000) },
    )
  })

  it('every plan uses an active POS with the currency; each number of installments occurs once, the single payment first', () => {
    fc.assert(
      fc.property(question, (input) => {
        const plans = plansFor(input)
        assert.deepEqual(
          countsOf(plans),
          countsOf(plans).toSorted((one, other) => one - other),
        )
        assert.equal(new Set(countsOf(plans)).size, plans.length)
        for (const { pos: chosen, installment, commission: rate } of plans) {
          assert.ok(chosen.state === 'active' && chosen.currencies.includes(input.currency))
          const isOwn =
            input.card?.family === rate.family && chosen.families.some((slug) => slug === rate.family)
          assert.ok(isOwn || (installment === 1 && rate.family === otherCards))
          assert.equal(rate.segment, input.card?.segment ?? 'personal')
        }
      }),
      { numRuns: repetitions(1000) },
    )
  })

  it('every choice has a reason in both languages', () => {
    fc.assert(
      fc.property(question, (input) => {
        for (const plan of plansFor(input)) {
          assert.match(posChoiceText(plan, input), /^[^;]+; [^;]+(; among equals: [^;]+)*\.$/)
        }
      }),
    )
  })
})

const reversed = ({ pos: same, commissions }: PricedPos) => ({
  pos: same,
  commissions: commissions.toReversed(),
})

const summed = (plans: readonly Plan[]) =>
  plans.map((plan) => ({ ...plan, pos: plan.pos.id, commission: plan.commission.id }))
