import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../../kit/runtime/sql.ts'
import { isRefusedFor, runTypedCommand } from '../../testing/harness/command-line.ts'
import { inconsistencies } from '../../testing/invariants/consistency.ts'
import { modificationLines } from '../../testing/invariants/payment-rows.ts'
import { bankPageTill, passBankDay, payAtBankPage } from '../../testing/till/pay-at-bank-page.ts'
import { preAuthForm, refundActions } from '../../testing/till/refunds.ts'
import type { BankLies } from '../../testing/till/verifications.ts'
import {
  makeBankLie,
  overchargeCard,
  postedDifference,
  shortRefundCard,
  underchargeCard,
} from '../../testing/till/verifications.ts'
import type { BankAnswer, ChargeStatus } from '../connectors/index.ts'
import { connectors } from '../connectors/index.ts'

const till = await bankPageTill()
const { services } = till
const { sql: database } = services
const { refunded, refundsOf, statusOf, asked, withManualReview } = refundActions(till)
const minuteMs = 60_000
const hourMs = 60 * minuteMs
const why = ['--by', 'Ayşe Işık', '--reason', 'The bank took 1.00 too much.']

/** A payment for which the bank charged a different amount, and the id of the differing approval. */
async function differing(pan: string, form?: string): Promise<{ id: number; approval: number }> {
  const id = await payAtBankPage(till, pan, form)
  await till.pass(2 * minuteMs)
  return { id, approval: await approvalOf(id) }
}

async function approvalOf(paymentId: number): Promise<number> {
  const { id } = await database.one<{ id: number }>(
    sql`select id from verifications where payment_id = ${paymentId} and state = 'differs'`,
  )
  return id
}

const settle = (approval: number, choice: string) =>
  runTypedCommand(services, ['payment', 'settle-difference', String(approval), '--choice', choice, ...why])

async function statesOf(paymentId: number): Promise<string[]> {
  const rows = await database.many<{ state: string }>(
    sql`select kind || ' ' || state as state from verifications where payment_id = ${paymentId} order by approved_at, id`,
  )
  return rows.map(({ state }) => state)
}

/** Sum of the payment in the account of differences, and sum at the bank. */
async function leftOf(paymentId: number): Promise<[difference: number, atBank: number | undefined]> {
  const { attempt } = await database.one<{ attempt: number }>(
    sql`select id as attempt from payment_attempts where payment_id = ${paymentId}`,
  )
  return [await postedDifference(till, paymentId), (await till.bank.line(String(attempt)))?.taken]
}

const refusing: BankAnswer = { outcome: 'declined', reason: 'invalid_transaction', code: '12', message: null }

function takenOver(amountMinor: number): ChargeStatus {
  const words = { code: '00', message: null, bankReferences: {} }
  return { status: 'taken', echoed: { amountMinor }, refundedMinor: 0, ...words }
}

/** Replaces the bank's answers during the work. */
async function withBank(lies: BankLies, work: () => Promise<void>): Promise<void> {
  makeBankLie(till, lies)
  await work()
  services.connectors = connectors
}

describe('a surplus', () => {
  it('is refunded once, and the payment stays paid', async () => {
    const { id, approval } = await differing(overchargeCard)
    assert.match(
      await settle(approval, 'return_surplus'),
      /^The service asks the bank to refund 1\.00 TRY of payment/,
    )
    assert.match(
      await runTypedCommand(services, ['payment', 'unknown', '--all']),
      / {2}in progress {2}modification \d+ refunds the surplus/,
    )
    for (const choice of ['return_surplus', 'refund_all', 'accept'])
      await assert.rejects(
        settle(approval, choice),
        /This is already decided: modification \d+ refunds the surplus\./,
      )
    assert.match(await runTypedCommand(services, ['payment', 'unknown']), /^Nothing needs manual review/)
    await passBankDay(till)
    assert.deepEqual(await leftOf(id), [0, 10_000])
    assert.deepEqual(await statusOf(id), [1, 2])
    assert.deepEqual(await statesOf(id), ['charge settled', 'refund verified'])
    assert.deepEqual(await refundsOf(id), [])
    assert.deepEqual(await inconsistencies(till), [])
    await assert.rejects(settle(approval, 'accept'), isRefusedFor('id'))
    assert.match(
      await runTypedCommand(services, ['payment', 'show', String(id)]),
      /Ayşe Işık decided to refund the surplus: The bank took 1\.00 too much\./,
    )
  })

  it('cannot be refunded if the bank charged less or only holds the amount', async () => {
    const { approval } = await differing(underchargeCard)
    await assert.rejects(settle(approval, 'return_surplus'), isRefusedFor('choice'))
    const { approval: held } = await differing(overchargeCard, preAuthForm)
    for (const choice of ['return_surplus', 'refund_all'])
      await assert.rejects(settle(held, choice), isRefusedFor('choice'))
  })

  it('cannot be refunded while a refund is open, and a refund waits for it', async () => {
    const { id, approval } = await differing(overchargeCard)
    await withManualReview(async () => {
      await asked(id, 3_000)
      await assert.rejects(settle(approval, 'return_surplus'), /Refund \d+ of the payment is open\./)
      await refundActions(till).decide(id, 'reject')
      await settle(approval, 'return_surplus')
      await asked(id, 3_000)
      await assert.rejects(refundActions(till).decide(id, 'approve'), /refunding a surplus/)
      await passBankDay(till)
      await refundActions(till).decide(id, 'approve')
    })
    await passBankDay(till)
    assert.deepEqual(await leftOf(id), [0, 7_000])
    assert.deepEqual(await inconsistencies(till), [])
  })

  it('returns to manual review if the bank refuses its refund, and nothing is posted', async () => {
    const { id, approval } = await differing(overchargeCard)
    await settle(approval, 'return_surplus')
    await withBank({ refund: async () => refusing }, () => till.pass(2 * minuteMs))
    assert.deepEqual(await modificationLines(database, id), ['refund refused by refund'])
    assert.deepEqual(await leftOf(id), [100, 10_100])
    assert.deepEqual(await statesOf(id), ['charge differs'])
    assert.match(
      await runTypedCommand(services, ['payment', 'unknown']),
      new RegExp(`settle-difference ${approval} --choice`),
    )
    await settle(approval, 'accept')
  })

  it('is refunded only while the bank still reports the same amount', async () => {
    const { id, approval } = await differing(overchargeCard)
    await settle(approval, 'return_surplus')
    await withBank({ inquire: async () => takenOver(10_000) }, () => passBankDay(till))
    assert.deepEqual(await leftOf(id), [100, 10_100])
    await till.pass(2 * hourMs)
    assert.deepEqual(await leftOf(id), [0, 10_000])
  })

  it('of a refund that returned too little is refunded too', async () => {
    const id = await payAtBankPage(till, shortRefundCard)
    await refunded(id)
    await till.pass(5 * minuteMs)
    assert.deepEqual(await leftOf(id), [100, 100])
    await settle(await approvalOf(id), 'return_surplus')
    await till.pass(5 * minuteMs)
    assert.deepEqual(await leftOf(id), [0, 0])
    assert.deepEqual(await statesOf(id), ['charge verified', 'refund settled', 'refund verified'])
    assert.deepEqual(await inconsistencies(till), [])
  })
})

describe('a payment whose charge differs', () => {
  it('is refunded by an ordinary refund, over the whole amount at the bank', async () => {
    for (const pan of [overchargeCard, underchargeCard]) {
      const { id, approval } = await differing(pan)
      assert.match(
        await settle(approval, 'refund_all'),
        /^Refund \d+ of payment \d+ is under_review\. To follow it: vezne refund show/,
      )
      await till.pass(5 * minuteMs)
      assert.deepEqual(await leftOf(id), [0, 0])
      assert.deepEqual(await statusOf(id), [4, 2])
      const [refund] = await refundsOf(id)
      assert.deepEqual([refund?.amount, refund?.charged, refund?.state], [10_000, 10_000, 'executed'])
      assert.deepEqual(await statesOf(id), ['charge settled', 'refund verified'])
    }
    assert.deepEqual(await inconsistencies(till), [])
  })

  it('is refunded in full by partial refunds of its merchant', async () => {
    const { id } = await differing(overchargeCard)
    await passBankDay(till)
    await refunded(id, 4_000)
    assert.deepEqual(await leftOf(id), [100, 6_100])
    assert.deepEqual((await statesOf(id))[0], 'charge differs')
    await refunded(id, 6_000)
    assert.deepEqual(await leftOf(id), [0, 0])
    await till.pass(5 * minuteMs)
    assert.deepEqual(await modificationLines(database, id), [
      'refund done by refund',
      'refund done by refund',
    ])
    assert.deepEqual(await statesOf(id), ['charge settled', 'refund verified', 'refund verified'])
    assert.deepEqual(await inconsistencies(till), [])
  })

  it('still differs after a partial refund, even if nothing is left at the bank', async () => {
    const { id } = await differing(underchargeCard)
    await passBankDay(till)
    await refunded(id, 9_900)
    assert.deepEqual(await leftOf(id), [-100, 0])
    assert.deepEqual((await statesOf(id))[0], 'charge differs')
  })

  it('returns to manual review if its refund is rejected or the bank refuses it', async () => {
    const { id, approval } = await differing(overchargeCard)
    const isListed = async () =>
      (await runTypedCommand(services, ['payment', 'unknown'])).includes(`settle-difference ${approval} `)
    assert.ok(await isListed())
    await withManualReview(async () => {
      await settle(approval, 'refund_all')
      assert.ok(!(await isListed()))
      await refundActions(till).decide(id, 'reject', 'Mehmet Demir')
    })
    assert.ok(await isListed())
    await settle(approval, 'refund_all')
    await withBank({ refund: async () => refusing, void: async () => refusing }, () =>
      till.pass(2 * minuteMs),
    )
    assert.ok(await isListed())
    assert.deepEqual(await leftOf(id), [100, 10_100])
    await settle(approval, 'accept')
  })

  it('can be accepted: the difference stays in its account, and the manual review ends', async () => {
    const { id, approval } = await differing(overchargeCard)
    assert.match(await settle(approval, 'accept'), /The difference of the .* is accepted\.$/)
    await till.pass(hourMs)
    assert.deepEqual(await leftOf(id), [100, 10_100])
    assert.deepEqual(await statesOf(id), ['charge settled'])
    const list = await runTypedCommand(services, ['payment', 'unknown'])
    assert.doesNotMatch(list, new RegExp(`payment ${id}`))
    assert.match(
      await runTypedCommand(services, ['payment', 'show', String(id)]),
      /Ayşe Işık accepted the difference: The bank took 1\.00 too much\./,
    )
    assert.deepEqual(await inconsistencies(till), [])
  })
})

it('an id without an open difference cannot be settled', async () => {
  await assert.rejects(settle(10_000_000_000_001, 'accept'), isRefusedFor('id'))
})
