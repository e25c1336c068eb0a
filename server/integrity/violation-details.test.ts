import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../../kit/runtime/sql.ts'
import type { FaultSeeder } from '../../testing/faults/integrity-faults.ts'
import {
  approvedAttemptSeed,
  integrityFixture,
  withChangedAttempt,
  withChangedModification,
  withChangedPayment,
  withChangedRefund,
  withChangedTransfers,
} from '../../testing/faults/integrity-faults.ts'
import { seed } from '../../testing/seed/seed.ts'
import { balanceSnapshots } from '../ledger/index.ts'
import { checkIntegrity } from './check-integrity.ts'

const attempts = [approvedAttemptSeed]

describe('an integrity violation shows the actual and the expected values, as decimals with the currency', () => {
  const shown: [what: string, seed: FaultSeeder, expected: string][] = [
    [
      'the transfers of a taking',
      withChangedTransfers(sql`amount = amount + 1`),
      '(paid, payment 98.21 TRY (debit receivable, credit balance), commission 1.80 TRY (debit receivable, credit commission); expected: payment 98.21 TRY (debit receivable, credit balance), commission 1.79 TRY (debit receivable, credit commission))',
    ],
    [
      'transfers where none are due',
      withChangedPayment(
        { state: 'paid', attempts: [{ ...approvedAttemptSeed, commissionMinor: 0 }] },
        sql`state = 'held'`,
      ),
      '(held, payment 100.00 TRY (debit receivable, credit balance); expected: no transfers)',
    ],
    [
      'a transfer that is none',
      withChangedTransfers(sql`amount = -5`),
      ': -0.05 TRY (debit receivable, credit commission)',
    ],
    [
      'a charge',
      async (api) => (await api.seed({ attempts: [{ state: 'declined', chargedMinor: 9_999 }] })).id,
      ' charges 99.99 TRY for 100.00 TRY)',
    ],
    [
      'accounts',
      withChangedTransfers(sql`debit = 'elsewhere'`, 'GBP'),
      '(receivable 98.21 GBP, but balance 98.21, commission 1.79 and differences 0.00 add up to 100.00 GBP)',
    ],
    [
      'an event',
      withChangedPayment({ state: 'failed' }, sql`state = 'expired'`),
      '(expired: payment.failed; expected: payment.expired)',
    ],
    [
      'a currency',
      withChangedAttempt({ attempts: [{ state: 'declined' }] }, sql`currency = 'EUR'`),
      ' in EUR, the payment in TRY)',
    ],
    [
      'a resolution',
      withChangedModification({ state: 'capturing', attempts }, sql`state = 'refused'`),
      '(capturing, resolution capture: capture refused)',
    ],
    [
      'what was refunded',
      withChangedPayment({ state: 'refunded', attempts }, sql`refunded = 9999`),
      '(99.99 of 100.00; expected: 100.00)',
    ],
    [
      'an open refund',
      withChangedPayment({ state: 'paid', attempts }, sql`refund_id = 10000000000456`),
      '(refund 10000000000456; expected: none)',
    ],
    [
      'a modification of a refund',
      withChangedModification({ state: 'partly_refunded', attempts }, sql`amount = 4000`),
      ' of 50.00 executed: done 40.00)',
    ],
    [
      'the share of a refund',
      withChangedRefund({ state: 'partly_refunded', attempts }, sql`charged = 4999`),
      ': 49.99, bank’s commission 0.90; expected: 50.00, bank’s commission 0.90)',
    ],
    [
      'the transfers of a refund',
      async (api) => {
        const { id, refundIds } = await api.seed({ state: 'refunded', attempts })
        await api.run(sql`delete from ledger_transfers where refund_id = ${refundIds[0]}`)
        return id
      },
      '; expected: payment 98.21 TRY (debit receivable, credit balance), commission 1.79 TRY (debit receivable, credit commission), refund 98.21 TRY (debit balance, credit receivable), refund_commission 1.79 TRY (debit commission, credit receivable))',
    ],
  ]
  const output = integrityFixture().then(async (api) => {
    for (const [, seed] of shown) await seed(api)
    return api.check().catch((error: Error) => error.message)
  })
  for (const [what, , words] of shown) {
    it(what, async () => {
      const message = await output
      assert.ok(message.includes(words), message)
    })
  }
})

it('an item overdue by more than an hour is a warning unless it is in manual review, and the checks pass', async () => {
  const api = await integrityFixture()
  const { id: overdue } = await api.seed({ state: 'capturing', attempts })
  const { id: seen, modificationIds } = await api.seed({ state: 'releasing', attempts })
  const { id: unreviewed, refundIds } = await api.seed({
    ...{ state: 'paid', attempts },
    refunds: [{ amountMinor: 4_000, state: 'under_review' }],
  })
  const { id: unresolved } = await api.seed({ state: 'held', attempts })
  await api.run(sql`update modifications set needs_review_at = began_at where id = ${modificationIds[0]}`)
  await api.run(sql`update refunds set due_at = requested_at where id = ${refundIds[0]}`)
  await api.run(sql`update payments set due_at = ended_at where id = ${unresolved}`)
  assert.deepEqual((await checkIntegrity(api.services)).problems, [])
  api.clock.advance(2 * 60 * 60 * 1000)
  const { problems } = await checkIntegrity(api.services)
  assert.ok(problems.every(({ isWarning }) => isWarning))
  const whatByPayment = new Map(
    problems.flatMap(({ what, first }) => first.map((each) => [each.paymentId, what])),
  )
  assert.deepEqual(
    whatByPayment,
    new Map([
      [overdue, 'has a modification that is overdue by more than an hour and not in manual review'],
      [unreviewed, 'has a refund whose review is overdue by more than an hour'],
      [unresolved, 'is held, and its deadline passed more than an hour ago'],
    ]),
  )
  assert.ok(!whatByPayment.has(seen))
})

it('a balance snapshot that differs from the sum of the transfers is reported', async () => {
  const api = await integrityFixture()
  await api.seed({ state: 'paid', attempts })
  const until = new Date(api.clock.now().getTime() + 60 * 60 * 1000)
  const snapshot = { merchantId: api.merchant.id, until, untilId: 0, takenAt: until }
  await seed(api.services.sql, balanceSnapshots, [snapshot])
  const { problems } = await checkIntegrity(api.services)
  assert.deepEqual(
    problems.map(({ what }) => what),
    ['has a balance snapshot that differs from the sum of its transfers'],
  )
})
