import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../../kit/sql.ts'
import { testCard, testPage } from '../../testing/payer.ts'
import { testTill } from '../../testing/till.ts'
import type { Attempt } from './attempt.ts'
import { situationOf } from './store.ts'
import { submitCard } from './submit-card.ts'

const till = await testTill()
const { services, merchant, clock } = till
const bonus = '5400360000000003'
const world = '5451030000000000'
const declining = '4111111111111129'
const minuteMs = 60_000

async function attemptOf(id: number): Promise<Attempt> {
  const situation = await situationOf(services.sql, { merchantId: merchant.id, id })
  assert.ok(situation)
  return situation.attempt
}

describe('a card that is submitted', () => {
  it('begins an attempt with the POS of its family, and no bank hears of it', async () => {
    const id = await till.start()
    const submitted = await till.submit(id, world)
    assert.equal(submitted.outcome, 'begun')
    const attempt = await attemptOf(submitted.attempt.id)
    assert.equal(attempt.state, 'authenticating')
    assert.equal(attempt.cardMasked, '545103******0000')
    assert.equal(attempt.reason.among, 'own_family')
    assert.equal(attempt.payerAddress, '203.0.113.7')
    assert.equal(await till.bank.line(String(attempt.id)), undefined)
    assert.equal((await till.result(id)).payment_status_text, 'waiting')
  })

  it('pays in installments what the payer was shown, with what the rate adds to it', async () => {
    const id = await till.start()
    const submitted = await till.submit(id, world, { installment: 3, charged: 10_445 })
    assert.equal(submitted.outcome, 'begun')
    const attempt = await attemptOf(submitted.attempt.id)
    assert.deepEqual([attempt.installment, attempt.chargedMinor, attempt.commissionMinor], [3, 10_445, 445])
  })

  it('is not taken at another price than the payer was shown, nor in installments that are not offered', async () => {
    const id = await till.start()
    for (const more of [
      { installment: 3, charged: 10_444 },
      { installment: 4, charged: 10_000 },
      { charged: 1 },
    ])
      assert.deepEqual(await till.submit(id, world, more), { outcome: 'offer_changed' })
    assert.deepEqual(
      await till.submit(id, '4766620000000001', { installment: 2, charged: 10_000 }),
      { outcome: 'offer_changed' },
      'a debit card pays once',
    )
  })

  it('takes the place of one whose holder is not proven yet, and that one can never pay again', async () => {
    const id = await till.start()
    const first = await till.submit(id, bonus)
    const second = await till.submit(id, world)
    assert.ok(first.outcome === 'begun' && second.outcome === 'begun')
    assert.equal((await attemptOf(first.attempt.id)).state, 'abandoned')
    assert.equal((await till.authorize(first.attempt.id)).outcome, 'not_asked')
    assert.equal((await till.authorize(second.attempt.id)).situation?.payment.state, 'paid')
  })

  it('ends nothing that is under way when it is not taken itself: at another price, or with no attempt left', async () => {
    const id = await till.start()
    const first = await till.submit(id, bonus)
    assert.ok(first.outcome === 'begun')
    assert.equal((await till.submit(id, world, { charged: 1 })).outcome, 'offer_changed')
    assert.equal((await attemptOf(first.attempt.id)).state, 'authenticating')
    await till.authorize(first.attempt.id)
    const last = await till.start()
    for (let number = 1; number <= 4; number++) await till.pay(last, declining)
    const fifth = await till.submit(last, bonus)
    assert.ok(fifth.outcome === 'begun')
    assert.deepEqual(await till.submit(last, bonus), { outcome: 'not_open', state: 'authenticating' })
    assert.equal((await till.authorize(fifth.attempt.id)).situation?.payment.state, 'paid')
  })

  it('is one of two when two tabs submit at once', async () => {
    const id = await till.start()
    const both = await Promise.all([till.submit(id, bonus), till.submit(id, world)])
    assert.ok(both.some(({ outcome }) => outcome === 'begun'))
    const rows = await services.sql.many(
      sql`select from payment_attempts where payment_id = ${id} and state = 'authenticating'`,
    )
    assert.equal(rows.length, 1)
  })

  it('is not taken while a bank is being asked, nor once it has said yes', async () => {
    const id = await till.start()
    await till.pay(id, '4190000000000101')
    assert.deepEqual(await till.submit(id, bonus), { outcome: 'not_open', state: 'authorizing' })
    await till.pass(2 * minuteMs)
    assert.deepEqual(await till.submit(id, bonus), { outcome: 'not_open', state: 'paid' })
  })

  it('is not taken a sixth time', async () => {
    const id = await till.start()
    for (let number = 1; number <= 5; number++) {
      assert.equal((await till.result(id)).payment_status_text, 'waiting')
      const { situation } = await till.pay(id, declining)
      assert.equal(situation?.attempt.number, number)
    }
    const result = await till.result(id)
    assert.equal(`${result.payment_status_text} ${result.transaction_status_text}`, 'failed failed')
    assert.deepEqual([result.transaction_code, result.end_at !== null], ['51', true])
    assert.deepEqual(await till.submit(id, bonus), { outcome: 'not_open', state: 'failed' })
  })

  it('is not taken when the page has expired, noticed or not', async () => {
    const id = await till.start()
    clock.advance(merchant.pageLifetimeMinutes * minuteMs)
    assert.deepEqual(await till.submit(id, bonus), { outcome: 'not_open', state: 'expired' })
    await till.pass(1_000)
    assert.equal((await till.result(id)).transaction_status_text, 'expired')
    assert.deepEqual(await till.submit(id, bonus), { outcome: 'not_open', state: 'expired' })
  })

  it('counts as the payer’s first view if there was none before', async () => {
    const id = await till.start()
    const { created_at } = await till.result(id)
    clock.advance(5 * minuteMs)
    await till.submit(id, bonus)
    assert.notEqual((await till.result(id)).start_at, created_at)
  })
})

it('a live merchant’s payers are limited by card and by address, a test merchant’s are not', async () => {
  // No connector leads a live merchant to the sandbox: beyond the limit this one gets no further than its POS.
  const live = { ...merchant, live: true }
  const tries = async (whose: typeof merchant, count: number) => {
    const outcomes: string[] = []
    for (let index = 0; index < count; index++) {
      const paymentId = await till.start()
      const submission = {
        card: testCard('4157920000000002'),
        installment: 1,
        chargedMinor: 10_000,
        payerAddress: '198.51.100.9',
        language: 'tr' as const,
        page: testPage,
      }
      outcomes.push((await submitCard(services, whose, { paymentId }, submission)).outcome)
    }
    return outcomes
  }
  const most = services.config.attemptsPerCard
  assert.deepEqual(await tries(merchant, most + 1), Array(most + 1).fill('begun'))
  assert.deepEqual(await tries(live, most + 2), [
    ...Array(most).fill('pos_unreachable'),
    'limited',
    'limited',
  ])
})
