import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { SqlFragment } from '../../kit/runtime/sql.ts'
import { sql } from '../../kit/runtime/sql.ts'
import { runTypedCommand } from '../../testing/harness/command-line.ts'
import { bankPageTill, payAtBankPage } from '../../testing/till/pay-at-bank-page.ts'
import { refundActions } from '../../testing/till/refunds.ts'
import { exactChargeCard, overchargeCard, shortRefundCard } from '../../testing/till/verifications.ts'
import type { BatchingSql } from '../database/batching-sql.ts'
import { checkIntegrity } from './check-integrity.ts'

const till = await bankPageTill()
const { services } = till
const { sql: database } = services
const { refunded } = refundActions(till)

const [differing, refundDiffering, verified] = [
  await payAtBankPage(till, overchargeCard),
  await payAtBankPage(till, shortRefundCard),
  await payAtBankPage(till, exactChargeCard),
]
await refunded(refundDiffering)
await till.pass(180_000)

/** Payments with a difference in the charge, in a refund, or with none; and one that is not verified yet. */
const payments = {
  differing,
  refundDiffering,
  verified,
  unverified: await payAtBankPage(till, exactChargeCard),
}

const otherApproval = 'has a verification that does not match its approval'
const nobodyLooks = 'has an unverified approval without a due time, or with an end time or a bank amount'
const noSource = 'has a verified or differing approval without the source or the time of its verification'
const nobodyDecides = 'has an open difference that is not in manual review'
const notAccepted =
  'has money left in the differences account, but its differences are settled and none was accepted'
const otherCharge = 'has an attempt whose bank amount differs from the amount that the verification found'
const missingEvent = 'has a difference without an event that names both amounts'
const extraEvents = 'has more or fewer difference events than differences'
const otherTransfers = 'is paid, but its transfers do not match its charge and its refunds'

const verification = (change: SqlFragment) => (id: number) =>
  sql`update verifications set ${change} where payment_id = ${id}`
const event = (change: SqlFragment) => (id: number) =>
  sql`update events set ${change} where payment_id = ${id} and kind like '%.amount_differs'`

const faults: [what: string, how: string, of: keyof typeof payments, (id: number) => SqlFragment][] = [
  [otherApproval, 'another amount', 'verified', verification(sql`amount = amount + 1`)],
  [otherApproval, 'another kind', 'verified', verification(sql`kind = 'hold'`)],
  [otherApproval, 'another POS', 'verified', verification(sql`pos_id = 2`)],
  [otherApproval, 'another currency', 'verified', verification(sql`currency = 'EUR'`)],
  [
    otherApproval,
    'a modification that was not done',
    'refundDiffering',
    (id) => sql`update modifications set state = 'refused' where payment_id = ${id}`,
  ],
  [nobodyLooks, 'no time', 'unverified', verification(sql`due_at = null`)],
  [nobodyLooks, 'it has ended', 'unverified', verification(sql`ended_at = approved_at`)],
  [noSource, 'by nothing', 'verified', verification(sql`source = null`)],
  [noSource, 'at no time', 'verified', verification(sql`ended_at = null`)],
  [noSource, 'still to be asked about', 'verified', verification(sql`due_at = approved_at`)],
  [noSource, 'differing, and of no amount', 'differing', verification(sql`bank_amount = null`)],
  [nobodyDecides, 'put before nobody', 'differing', verification(sql`needs_review_at = null`)],
  [
    notAccepted,
    'it is still there',
    'differing',
    verification(sql`state = 'settled', needs_review_at = null`),
  ],
  [noSource, 'verified, and of another amount', 'differing', verification(sql`state = 'verified'`)],
  [otherCharge, 'as asked for', 'differing', (id) => charged(id, sql`null`)],
  [otherCharge, 'another one', 'verified', (id) => charged(id, sql`charged + 1`)],
  [
    missingEvent,
    'another amount',
    'differing',
    event(sql`data = jsonb_set(data, '{difference,bank_amount}', '1')`),
  ],
  [
    missingEvent,
    'another operation',
    'differing',
    event(sql`data = jsonb_set(data, '{difference,operation}', '"hold"')`),
  ],
  [
    extraEvents,
    'of none',
    'differing',
    (id) => sql`update verifications set bank_amount = null where payment_id = ${id}`,
  ],
  [
    otherTransfers,
    'of the difference none',
    'differing',
    (id) => sql`delete from ledger_transfers where payment_id = ${id} and reason = 'surplus'`,
  ],
  [
    otherTransfers,
    'of a refund’s difference another amount',
    'refundDiffering',
    (id) =>
      sql`update ledger_transfers set amount = amount + 1 where payment_id = ${id} and reason = 'surplus'`,
  ],
]

function charged(paymentId: number, amount: SqlFragment): SqlFragment {
  return sql`update payment_attempts set bank_charged = ${amount} where payment_id = ${paymentId}`
}

/** Violations reported for a payment. */
async function violationsOf(of: BatchingSql, paymentId: number): Promise<string[]> {
  const { problems } = await checkIntegrity({ ...services, sql: of })
  return problems
    .filter(({ isWarning, first }) => !isWarning && first.some((each) => each.paymentId === paymentId))
    .map(({ what }) => what)
}

/** Rolls the work back afterwards, so that the next test starts from valid data. */
async function undone<Result>(work: (inner: BatchingSql) => Promise<Result>): Promise<Result> {
  const result = Promise.withResolvers<Result>()
  const back = new Error('back')
  await database
    .transaction(async (inner) => {
      result.resolve(await work(inner))
      throw back
    })
    .catch((error) => {
      if (error !== back) throw error
    })
  return result.promise
}

describe('approvals whose amount the bank did not confirm', () => {
  it('have no violation if the records are unchanged', async () => {
    for (const id of Object.values(payments)) assert.deepEqual(await violationsOf(database, id), [])
  })

  for (const [what, how, of, wrong] of faults) {
    it(`${what}: the check reports it (${how})`, async () => {
      const id = payments[of]
      const violations = await undone(async (inner) => {
        await inner.run(wrong(id))
        return violationsOf(inner, id)
      })
      assert.ok(violations.includes(what), `it is said: ${violations.join(', ')}`)
    })
  }
})

it('are counted by state beside the balances', async () => {
  const other = await bankPageTill()
  for (const pan of [exactChargeCard, overchargeCard]) await payAtBankPage(other, pan)
  await other.pass(120_000)
  await payAtBankPage(other, exactChargeCard)
  const output = await runTypedCommand(other.services, ['ledger', 'check'])
  assert.match(output, /: 1 unverified, 1 verified, 1 differing, 0 settled\.$/m)
  assert.match(output, /DIFFERENCES\n.*TRY +301\.00 +\S+ +\S+ +1\.00$/m)
})
