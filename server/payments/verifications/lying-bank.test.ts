import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../../../kit/runtime/sql.ts'
import { gatedSql, stopAt } from '../../../testing/crash/boundaries.ts'
import { runTypedCommand } from '../../../testing/harness/command-line.ts'
import { inconsistencies } from '../../../testing/invariants/consistency.ts'
import { eventLines } from '../../../testing/invariants/payment-rows.ts'
import { bankPageTill, payAtBankPage } from '../../../testing/till/pay-at-bank-page.ts'
import { processDueRefunds, processDueVerifications } from '../../../testing/till/process-due.ts'
import { preAuthForm, refundActions } from '../../../testing/till/refunds.ts'
import { testTill } from '../../../testing/till/till.ts'
import {
  countVerifyCalls,
  exactChargeCard,
  makeBankLie,
  overchargeCard,
  postedDifference,
  requestPreAuthResolution,
  shortRefundCard,
  tillWithLyingBank,
  underchargeCard,
  verificationLines,
} from '../../../testing/till/verifications.ts'
import type { BankAnswer, ChargeStatus } from '../../connectors/index.ts'
import { reviewDueRefunds } from '../../refunds/index.ts'
import { recordStatementDifference } from './record-statement-difference.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

it('an answer from before a modification is not compared with the state after it', async () => {
  let meanwhile = async () => {}
  const till = await tillWithLyingBank(async (bank, question) => {
    const chargeStatus = await bank.inquire(question)
    const work = meanwhile
    meanwhile = async () => {}
    await work()
    return chargeStatus
  })
  const { asked, statusOf } = refundActions(till)
  const id = await payAtBankPage(till, overchargeCard)
  meanwhile = async () => {
    await asked(id)
    till.clock.advance(3_000)
    await reviewDueRefunds(till.services)
    await processDueRefunds(till.services)
    assert.deepEqual(await statusOf(id), [4, 2])
  }
  await till.pass(10 * minuteMs)
  assert.deepEqual(await verificationLines(till, id), ['charge verified inquiry', 'refund verified inquiry'])
  assert.equal(await postedDifference(till, id), 0)
  assert.deepEqual(await inconsistencies(till), [])
})

it('a difference that a statement shows during the inquiry is recorded once', async () => {
  let meanwhile = async () => {}
  const till = await tillWithLyingBank(async (bank, question) => {
    await meanwhile()
    return bank.inquire(question)
  })
  const { services, merchant } = till
  const id = await payAtBankPage(till, overchargeCard)
  const { approval } = await services.sql.one<{ approval: number }>(
    sql`select id as approval from verifications where payment_id = ${id}`,
  )
  meanwhile = async () => {
    assert.ok(await recordStatementDifference(services, { merchantId: merchant.id, id: approval }, 10_100))
  }
  await till.pass(10 * minuteMs)
  assert.deepEqual(await verificationLines(till, id), ['charge differs statement 10100'])
  assert.deepEqual(await eventLines(services.sql, id), ['1 payment.succeeded', '2 payment.amount_differs'])
  assert.doesNotMatch(till.lines.join('\n'), /processing a due item failed/)
  assert.deepEqual(await inconsistencies(till), [])
})

it('a refund that another worker requests during the inquiry is not counted as part of the earlier refund', async () => {
  let meanwhile = async () => {}
  const till = await tillWithLyingBank(async (bank, question) => {
    const work = meanwhile
    meanwhile = async () => {}
    await work()
    return bank.inquire(question)
  })
  const { services } = till
  const { asked, refunded } = refundActions(till)
  const id = await payAtBankPage(till, exactChargeCard)
  await till.pass(26 * hourMs)
  await refunded(id, 4_000)
  const { gate, reached, goOn } = stopAt('before finish')
  let other: Promise<unknown> = Promise.resolve()
  meanwhile = async () => {
    other = processDueRefunds({ ...services, sql: gatedSql(services.sql, gate) })
    await reached
  }
  till.clock.advance(50_000)
  await asked(id, 3_000)
  till.clock.advance(10_000)
  await reviewDueRefunds(services)
  // The bank has executed the second refund before the inquiry, but that is not recorded yet.
  await processDueVerifications(services)
  goOn()
  await other
  await till.pass(hourMs)
  assert.deepEqual((await verificationLines(till, id)).slice(1), [
    'refund verified inquiry',
    'refund verified inquiry',
  ])
  assert.equal(await postedDifference(till, id), 0)
  assert.deepEqual(await inconsistencies(till), [])
})

it('of two refunds within a minute, the first over a different amount, the difference is found and the second is done', async () => {
  const till = await bankPageTill()
  const { asked, refundsOf } = refundActions(till)
  const id = await payAtBankPage(till, shortRefundCard)
  await till.pass(2 * minuteMs)
  await asked(id, 4_000)
  await till.pass(5_000)
  await asked(id, 3_000)
  await till.pass(2 * hourMs)
  const states = (await refundsOf(id)).map(({ state }) => state)
  assert.deepEqual(states, ['executed', 'executed'])
  assert.deepEqual((await verificationLines(till, id)).slice(1), [
    'refund differs inquiry 3900',
    'refund verified inquiry',
  ])
  assert.deepEqual(await inconsistencies(till), [])
})

it('a hold over a different amount is released even if the first answer was lost, and after a refused capture', async () => {
  let isLost = true
  const till = await bankPageTill()
  makeBankLie(till, {
    void: async (bank, modification) =>
      isLost ? lost() : ((await bank.void?.(modification)) ?? assert.fail()),
  })
  const lost = (): BankAnswer => {
    isLost = false
    return { outcome: 'unknown', why: 'lost' }
  }
  for (const [pan, isCaptured] of [
    [overchargeCard, false],
    [underchargeCard, true],
  ] as const) {
    isLost = true
    const id = await payAtBankPage(till, pan, preAuthForm)
    await till.pass(2 * minuteMs)
    await requestPreAuthResolution(till, id, isCaptured)
    await till.pass(3 * hourMs)
    assert.equal((await till.result(id)).payment_status_text, 'failed')
    assert.equal((await verificationLines(till, id)).at(-1), 'release verified inquiry')
  }
  assert.deepEqual(await inconsistencies(till), [])
})

it('a charge over a different amount that is refunded immediately is undone even if the first answer was lost', async () => {
  let isLost = true
  const till = await bankPageTill()
  makeBankLie(till, {
    void: async (bank, modification) => {
      if (!isLost) return (await bank.void?.(modification)) ?? assert.fail()
      isLost = false
      return { outcome: 'unknown', why: 'lost' }
    },
  })
  const id = await payAtBankPage(till, overchargeCard)
  await refundActions(till).refunded(id)
  await till.pass(3 * hourMs)
  assert.deepEqual(await verificationLines(till, id), ['charge verified inquiry', 'refund verified inquiry'])
  assert.deepEqual(await inconsistencies(till), [])
})

it('an amount outside the ledger’s limits needs manual review, and is inquired about no more often than others', async () => {
  const till = await tillWithLyingBank(async (bank, question) => {
    const chargeStatus = await bank.inquire(question)
    return chargeStatus.status === 'taken'
      ? { ...chargeStatus, echoed: { ...chargeStatus.echoed, amountMinor: 99_999_999_999_999 } }
      : chargeStatus
  })
  const id = await payAtBankPage(till, exactChargeCard)
  await till.pass(3 * hourMs)
  assert.deepEqual(await verificationLines(till, id), ['charge unverified'])
  assert.ok((await countVerifyCalls(till, id)) <= 8)
  assert.match(await runTypedCommand(till.services, ['payment', 'unknown']), /approved and not verified/)
})

it('approvals that a bank can never explain do not delay others', async () => {
  const broken = new Set<string>()
  const till = await tillWithLyingBank(async (bank, question) =>
    broken.has(question.reference)
      ? { status: 'unknown', why: 'it contradicts itself' }
      : bank.inquire(question),
  )
  for (let count = 0; count < 15; count++)
    await payAtBankPage(till, exactChargeCard, 'amount=20000&currency=TRY')
  const rows = await till.services.sql.many<{ reference: string }>(
    sql`select reference from payment_attempts`,
  )
  for (const { reference } of rows) broken.add(reference)
  await till.pass(12 * hourMs)
  const id = await payAtBankPage(till, overchargeCard)
  await till.pass(hourMs)
  assert.deepEqual(await verificationLines(till, id), ['charge differs inquiry 10100'])
})

it('a charge that was settled manually as taken is verified like any other', async () => {
  const till = await testTill()
  const id = await till.start()
  // The answer is lost, the charge cannot be queried for an hour, and it cannot be voided.
  await till.pay(id, '4190000000000630')
  await till.pass(5 * hourMs)
  const { attempt } = await till.services.sql.one<{ attempt: number }>(
    sql`select id as attempt from payment_attempts where payment_id = ${id}`,
  )
  const why = ['--by', 'Ayşe Işık', '--reason', 'On the statement.']
  await runTypedCommand(till.services, [
    'payment',
    'settle-outcome',
    String(attempt),
    '--outcome',
    'taken',
    ...why,
  ])
  assert.deepEqual(await verificationLines(till, id), ['charge unverified'])
  await till.pass(2 * minuteMs)
  assert.deepEqual(await verificationLines(till, id), ['charge verified inquiry'])
})

describe('a bank that does not report the status of a charge', () => {
  it('is asked by the schedule, then the approval needs manual review; a later answer verifies it', async () => {
    let chargeStatus: ChargeStatus | undefined = { status: 'absent' }
    const till = await tillWithLyingBank(async (bank, question) => chargeStatus ?? bank.inquire(question))
    const id = await payAtBankPage(till, overchargeCard)
    await till.pass(minuteMs + 1_000)
    const { inquireAfterSeconds: waits } = till.services.config
    const waitedMs = waits.reduce((sum, seconds) => sum + seconds, 0) * 1000
    await till.pass(waitedMs)
    assert.equal(await countVerifyCalls(till, id), waits.length + 1)
    assert.deepEqual(await verificationLines(till, id), ['charge unverified'])
    assert.deepEqual(await eventLines(till.services.sql, id), ['1 payment.succeeded'])
    const unknown = await runTypedCommand(till.services, ['payment', 'unknown'])
    assert.match(unknown, /approved and not verified\n/)
    assert.match(unknown, / {2}bank {9}amount unknown, failed \d+ times\n/)
    assert.match(unknown, /vezne payment verify ID --amount AMOUNT …$/)
    assert.match(
      till.lines.join('\n'),
      /verifying an approval failed; needs manual review: vezne payment unknown/,
    )
    chargeStatus = undefined
    await till.pass((waits.at(-1) ?? 0) * 1000)
    assert.deepEqual(await verificationLines(till, id), ['charge differs inquiry 10100'])
  })

  it('is asked at growing intervals while inquiries fail, and at full rate after an answer', async () => {
    let isDown = true
    let asked = 0
    const till = await tillWithLyingBank(async (bank, question) => {
      asked += 1
      return isDown ? { status: 'unknown', why: 'the bank is down' } : bank.inquire(question)
    })
    for (let count = 0; count < 5; count++) await payAtBankPage(till, exactChargeCard)
    await till.pass(11 * minuteMs)
    // Inquiries follow after 10, 20, 40, 80 and 160 seconds, and then every five minutes.
    assert.equal(asked, 6)
    isDown = false
    await till.pass(7 * minuteMs)
    const { unverified } = await till.services.sql.one<{ unverified: number }>(
      sql`select count(*)::int as unverified from verifications where state = 'unverified'`,
    )
    assert.equal(unverified, 0)
    assert.equal(asked, 6 + 5)
  })
})
