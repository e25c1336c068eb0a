import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../../kit/runtime/sql.ts'
import { gatedSql, stopAt } from '../../testing/crash/boundaries.ts'
import { testApi } from '../../testing/harness/api.ts'
import { runTypedCommand } from '../../testing/harness/command-line.ts'
import { eventLines, eventRows, modificationLines } from '../../testing/invariants/payment-rows.ts'
import { seedPayment } from '../../testing/seed/payment.ts'
import { processDueRefunds } from '../../testing/till/process-due.ts'
import { refundActions } from '../../testing/till/refunds.ts'
import { testTill } from '../../testing/till/till.ts'
import { createMerchant, setMerchantState } from '../merchants/index.ts'
import { decideRefundManually } from './decide-refund-manually.ts'
import { reviewDueRefunds } from './index.ts'
import { requestRefund } from './request-refund.ts'

const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs

interface Review {
  state: string
  policy: string
  due: number | null
  violations: { rule: string; found: number; allowed: number }[]
  decided_by: string | null
  decided_at: Date | null
  reason: string | null
}

describe('a refund of a test merchant', async () => {
  const till = await testTill()
  const { services, clock } = till
  const { paid, asked, refunded, refundsOf, command } = refundActions(till)

  it('is approved after two seconds, with the decider, time and reason', async () => {
    const id = await paid()
    await asked(id)
    const now = clock.now().getTime()
    clock.advance(1_999)
    assert.equal(await reviewDueRefunds(services), 0)
    clock.advance(1)
    assert.equal(await reviewDueRefunds(services), 1)
    assert.equal(await reviewDueRefunds(services), 0)
    assert.equal((await refundsOf(id))[0]?.state, 'approved')
    const review = await services.sql.one<Review>(
      sql`select decided_by, decided_at, reason, violations from refunds where payment_id = ${id}`,
    )
    assert.deepEqual(review, {
      decided_by: 'rules',
      decided_at: new Date(now + 2_000),
      reason: 'The refunds of a test merchant always pass.',
      violations: [],
    })
  })

  it('is approved despite rule violations, and the violations are stored', async () => {
    await command('policy', till.merchant.id, '--card-times', '1', '--on-violation', 'reject')
    const id = await paid()
    await refunded(id, 1_000)
    await refunded(id, 1_000)
    assert.deepEqual(
      (await refundsOf(id)).map(({ state }) => state),
      ['executed', 'executed'],
    )
    const [last] = await services.sql.many<Review>(
      sql`select violations from refunds where payment_id = ${id} order by requested_at desc limit 1`,
    )
    assert.deepEqual(
      last?.violations.map(({ rule, allowed }) => [rule, allowed]),
      [['card', 1]],
    )
  })

  it('waits for an operator if the policy is manual, set before or after the request', async () => {
    const [before, after] = [await paid(), await paid()]
    await asked(after)
    await command('policy', till.merchant.id, '--policy', 'manual')
    await asked(before)
    await till.pass(30 * dayMs)
    for (const id of [before, after]) assert.equal((await refundsOf(id))[0]?.state, 'under_review')
    // A policy applies to later requests; both refunds are already in manual review.
    await command('policy', till.merchant.id, '--policy', 'automatic')
    await till.pass(dayMs)
    for (const id of [before, after]) assert.equal((await refundsOf(id))[0]?.state, 'under_review')
  })
})

describe('a refund of a live merchant', async () => {
  const api = await testApi({ live: true })
  const { services, clock } = api
  const { sql: database } = services

  /**
   * Creates a live merchant for one test, with a policy and a function that requests refunds of seeded
   * payments.
   */
  async function shop(...policy: string[]) {
    const { merchant } = await createMerchant(services, { name: 'Canlı Mağaza', live: true, language: 'en' })
    await runTypedCommand(services, ['refund', 'policy', String(merchant.id), ...policy])
    const seed = async (amountMinor = 10_000, more: { createdAt?: Date; card?: string } = {}) => {
      const { card = '415565******6111', createdAt = clock.now() } = more
      const attempts = [{ state: 'approved' as const, card }]
      return (await seedPayment(services, merchant, { state: 'paid', amountMinor, createdAt, attempts })).id
    }
    const ask = (paymentId: number, amountMinor?: number) =>
      requestRefund(services, merchant, { paymentId, amountMinor, description: 'x', by: 'key 1' })
    return { seed, ask, merchant }
  }

  const reviewOf = (id: number) =>
    database.one<Review>(sql`select state, policy, extract(epoch from due_at - requested_at)::int as due, violations,
      decided_by, decided_at, reason from refunds where id = ${id}`)

  it('waits for an operator by default', async () => {
    const { seed, ask } = await shop()
    const { id } = await ask(await seed())
    clock.advance(dayMs)
    assert.equal(await reviewDueRefunds(services), 0)
    const { state, policy, due, decided_by } = await reviewOf(id)
    assert.deepEqual([state, policy, due, decided_by], ['under_review', 'manual', null, null])
  })

  it('is approved by the rules after the configured delay, and a modification begins', async () => {
    const { seed, ask } = await shop('--policy', 'automatic', '--delay-seconds', '3600')
    const paymentId = await seed()
    const { id } = await ask(paymentId)
    clock.advance(hourMs - 1)
    assert.equal(await reviewDueRefunds(services), 0)
    assert.deepEqual(await modificationLines(database, paymentId), [])
    clock.advance(1)
    assert.equal(await reviewDueRefunds(services), 1)
    const { state, due, decided_by, decided_at, reason } = await reviewOf(id)
    assert.deepEqual([state, due, decided_by, reason], ['approved', null, 'rules', 'No rule is violated.'])
    assert.deepEqual(decided_at, clock.now())
    // The payment has no bank in this test. The refund stays approved and open.
    await processDueRefunds(services)
    assert.deepEqual(await modificationLines(database, paymentId), ['refund doing'])
    assert.equal((await reviewOf(id)).state, 'approved')
  })

  it('is approved immediately if the delay is zero', async () => {
    const { seed, ask } = await shop('--policy', 'automatic', '--delay-seconds', '0')
    const { id } = await ask(await seed())
    await reviewDueRefunds(services)
    assert.equal((await reviewOf(id)).state, 'approved')
  })

  it('waits for an operator if its merchant has been suspended since the request', async () => {
    const { seed, ask, merchant } = await shop('--policy', 'automatic', '--delay-seconds', '60')
    const { id } = await ask(await seed())
    await setMerchantState(services, merchant.id, 'suspended')
    clock.advance(60_000)
    await reviewDueRefunds(services)
    const { state, due, decided_by } = await reviewOf(id)
    assert.deepEqual([state, due, decided_by], ['under_review', null, null])
  })

  it('with a rule violation waits for an operator, who sees the violation', async () => {
    const { seed, ask } = await shop('--policy', 'automatic', '--delay-seconds', '0', '--max-age-days', '30')
    const paymentId = await seed(10_000, { createdAt: new Date(clock.now().getTime() - 40 * dayMs) })
    const { id } = await ask(paymentId)
    await reviewDueRefunds(services)
    const { state, due, violations, decided_by } = await reviewOf(id)
    assert.deepEqual([state, due, decided_by], ['under_review', null, null])
    assert.deepEqual(violations, [{ rule: 'age', found: 39, allowed: 30 }])
    const shown = await runTypedCommand(services, ['refund', 'show', String(id)])
    assert.match(shown, /violated rule +The payment is 39 days old; the limit is 30 days\./)
    assert.match(shown, /decided by +nobody yet: needs manual review/)
    const by = ['--by', 'Ayşe Işık', '--reason', 'A good customer.']
    await runTypedCommand(services, ['refund', 'approve', String(id), ...by])
    const decided = await reviewOf(id)
    assert.deepEqual(
      [decided.state, decided.decided_by, decided.reason],
      ['approved', 'Ayşe Işık', 'A good customer.'],
    )
    assert.deepEqual(decided.violations, violations, 'what was found is kept')
  })

  it('keeps violations that the rules find while an operator decides', async () => {
    const { seed, ask } = await shop('--policy', 'automatic', '--delay-seconds', '0', '--max-age-days', '1')
    const { id } = await ask(await seed(10_000, { createdAt: new Date(clock.now().getTime() - 9 * dayMs) }))
    const { gate, reached, goOn } = stopAt('before change')
    const reviewer = { ...services, sql: gatedSql(database, gate) }
    const deciding = decideRefundManually(reviewer, { refund: id, by: 'Ayşe Işık', reason: 'x' }, 'approved')
    await reached
    await reviewDueRefunds(services)
    goOn()
    await deciding
    const { state, decided_by, violations } = await reviewOf(id)
    assert.deepEqual([state, decided_by], ['approved', 'Ayşe Işık'])
    assert.deepEqual(violations, [{ rule: 'age', found: 8, allowed: 1 }])
  })

  it('with a rule violation is rejected if the merchant’s policy is to reject, with the reason in its language', async () => {
    const { seed, ask } = await shop(
      ...[
        '--policy',
        'automatic',
        '--delay-seconds',
        '0',
        '--max-age-days',
        '30',
        '--on-violation',
        'reject',
      ],
    )
    const paymentId = await seed(10_000, { createdAt: new Date(clock.now().getTime() - 40 * dayMs) })
    const { id } = await ask(paymentId)
    await reviewDueRefunds(services)
    const { state, decided_by, reason } = await reviewOf(id)
    const why = 'The payment is 39 days old; the limit is 30 days.'
    assert.deepEqual([state, decided_by, reason], ['rejected', 'rules', why])
    assert.deepEqual(await eventLines(database, paymentId), [
      '1 payment.succeeded',
      '2 refund.created',
      '3 refund.rejected',
    ])
    assert.equal((await eventRows(database, paymentId))[2]?.data.refund.reason, why)
    // No refund is open any more.
    await ask(paymentId)
  })

  it('is compared with the merchant’s payments of the last thirty days', async () => {
    const { seed, ask } = await shop('--policy', 'automatic', '--delay-seconds', '0')
    const old = new Date(clock.now().getTime() - 31 * dayMs)
    for (let count = 0; count < 9; count++) await seed(1_000, { card: `555555******${1000 + count}` })
    await seed(5_000_000, { createdAt: old, card: '555555******2000' })
    const large = await seed(20_000, { card: '555555******2001' })
    // Ten payments, 290.00 in total; this one is 200.00.
    const { id } = await ask(large)
    await reviewDueRefunds(services)
    assert.deepEqual((await reviewOf(id)).violations, [{ rule: 'rate', found: 69, allowed: 20 }])
    for (let count = 0; count < 30; count++) await seed(1_000, { card: '555555******2002' })
    const { id: second } = await ask(await seed(100_000, { card: '555555******2003' }))
    await reviewDueRefunds(services)
    // 41 payments, 1,590.00 in total.
    assert.deepEqual((await reviewOf(second)).violations, [
      { rule: 'amount', found: 26, allowed: 10 },
      { rule: 'rate', found: 63, allowed: 20 },
    ])
  })

  it('is counted with the approved and executed refunds to its card in the last thirty days', async () => {
    const { seed, ask } = await shop('--policy', 'automatic', '--delay-seconds', '0', '--card-times', '2')
    const other = await seed(10_000, { card: '415565******0001' })
    const times = async (amount: number, paymentId: number) => {
      const { id } = await ask(paymentId, amount)
      await reviewDueRefunds(services)
      return (await reviewOf(id)).state
    }
    const [one, two, three] = [await seed(), await seed(), await seed()]
    const { id: unwanted } = await ask(await seed(), 100)
    await decideRefundManually(
      services,
      { refund: unwanted, by: 'Ayşe Işık', reason: 'It is worn.' },
      'rejected',
    )
    assert.equal(await times(100, one), 'approved')
    assert.equal(await times(100, other), 'approved', 'another card')
    assert.equal(await times(100, two), 'approved')
    assert.equal(await times(100, three), 'under_review', 'the third')
    clock.advance(31 * dayMs)
    assert.equal(await times(100, await seed()), 'approved', 'a month later')
  })

  it('is counted with refunds decided at the same time, also by another instance', async () => {
    const automatic = ['--policy', 'automatic', '--delay-seconds', '0']
    const [rate, card] = [await shop(...automatic, '--card-times', '1000'), await shop(...automatic)]
    const asked = async ({ seed, ask }: typeof rate) => {
      const paymentIds = await Promise.all(Array.from({ length: 12 }, () => seed(1_000)))
      return Promise.all(paymentIds.map((id) => ask(id, 500)))
    }
    const [ofRate, ofCard] = [await asked(rate), await asked(card)]
    await Promise.all([reviewDueRefunds(services), reviewDueRefunds(services)])
    const approved = async (refunds: readonly { id: number }[]) => {
      const all = await Promise.all(refunds.map(({ id }) => reviewOf(id)))
      return all.filter(({ state }) => state === 'approved').length
    }
    // 20 % of 120.00 is four times 5.00; approved refunds are not in the ledger yet.
    assert.deepEqual([await approved(ofRate), await approved(ofCard)], [4, 3])
  })
})
