import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../../../kit/runtime/sql.ts'
import { runTypedCommand } from '../../../testing/harness/command-line.ts'
import { sqlWith } from '../../../testing/harness/sql.ts'
import { inconsistencies } from '../../../testing/invariants/consistency.ts'
import { eventLines, eventRows } from '../../../testing/invariants/payment-rows.ts'
import { bankPageTill, payAtBankPage } from '../../../testing/till/pay-at-bank-page.ts'
import { processDueVerifications } from '../../../testing/till/process-due.ts'
import { bonusCard, preAuthForm, refundActions } from '../../../testing/till/refunds.ts'
import { testTill } from '../../../testing/till/till.ts'
import {
  countVerifyCalls,
  exactChargeCard,
  overchargeCard,
  postedDifference,
  requestPreAuthResolution,
  shortRefundCard,
  underchargeCard,
  verificationLines,
} from '../../../testing/till/verifications.ts'
import { updateUnsettledGauges } from '../update-unsettled-gauges.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const otherAmount = '4190000000000408'

describe('an approval whose answer repeated all requested terms', () => {
  it('needs no inquiry', async () => {
    const till = await testTill()
    const id = await till.start()
    await till.pay(id, bonusCard)
    await till.pass(2 * hourMs)
    assert.deepEqual(await verificationLines(till, id), [])
    assert.equal(await countVerifyCalls(till, id), 0)
  })
})

describe('an approval without an amount', async () => {
  const till = await bankPageTill()

  it('is inquired about once, a minute later', async () => {
    const id = await payAtBankPage(till, exactChargeCard)
    assert.deepEqual(await verificationLines(till, id), ['charge unverified'])
    await till.pass(59_000)
    assert.equal(await countVerifyCalls(till, id), 0)
    await till.pass(2_000)
    assert.deepEqual(await verificationLines(till, id), ['charge verified inquiry'])
    await till.pass(hourMs)
    assert.equal(await countVerifyCalls(till, id), 1)
    assert.deepEqual(await eventLines(till.services.sql, id), ['1 payment.succeeded'])
    assert.deepEqual(await inconsistencies(till), [])
  })

  it('is postponed without a call if its POS cannot be read, which is no answer of the bank', async () => {
    const id = await payAtBankPage(till, exactChargeCard)
    till.clock.advance(minuteMs)
    const failing = sqlWith(till.services.sql, {
      maybe: (query) => {
        if (query.text.includes('from pos_credentials')) throw new Error('the database is away')
        return till.services.sql.maybe(query)
      },
    })
    await processDueVerifications({ ...till.services, sql: failing })
    assert.equal(await countVerifyCalls(till, id), 0)
    await till.pass(minuteMs)
    assert.deepEqual(await verificationLines(till, id), ['charge verified inquiry'])
  })

  for (const [name, pan, bankAmount] of [
    ['more', overchargeCard, 10_100],
    ['less', underchargeCard, 9_900],
    ['more, by a card that belongs to nobody’s family', otherAmount, 10_100],
  ] as const) {
    it(`over ${name} than requested differs: with an event and a separate account, and nothing is reversed`, async () => {
      const id = await payAtBankPage(till, pan)
      await till.pass(2 * minuteMs)
      assert.deepEqual(await verificationLines(till, id), [`charge differs inquiry ${bankAmount}`])
      const events = await eventRows(till.services.sql, id)
      assert.deepEqual(
        events.map(({ kind }) => kind),
        ['payment.succeeded', 'payment.amount_differs'],
      )
      const { difference, payment_status_text: status, amount } = events[1]?.data ?? {}
      assert.deepEqual([status, amount], ['success', 10_000])
      assert.deepEqual(difference, {
        ...{ operation: 'charge', refund_id: null, requested_amount: 10_000, bank_amount: bankAmount },
        currency_code: 'TRY',
      })
      assert.equal(await postedDifference(till, id), bankAmount - 10_000)
      await till.pass(10 * minuteMs)
      assert.equal((await till.result(id)).payment_status_text, 'success')
      assert.equal(await countVerifyCalls(till, id), 1)
      assert.deepEqual(await inconsistencies(till), [])
    })
  }

  it('is shown for manual review with the bank’s amount, in the list, with the payment and by the integrity checks', async () => {
    const id = await payAtBankPage(till, overchargeCard)
    const show = () => runTypedCommand(till.services, ['payment', 'show', String(id)])
    const { attempt } = await till.services.sql.one<{ attempt: number }>(
      sql`select id as attempt from payment_attempts where payment_id = ${id}`,
    )
    assert.match(await show(), new RegExp(`${attempt} +charge +unverified +100\\.00 +unknown`))
    assert.match(
      await runTypedCommand(till.services, ['payment', 'unknown', '--all']),
      new RegExp(`attempt ${attempt} of payment ${id}: charge of 100\\.00 TRY, approved and not verified`),
    )
    await till.pass(2 * minuteMs)
    assert.match(await show(), new RegExp(`${attempt} +charge +differs +100\\.00 +101\\.00 +inquiry`))
    assert.match(
      await show(),
      /the charge differs by an inquiry: 100\.00 TRY requested, 101\.00 TRY at the bank/,
    )
    assert.match(await show(), /posted: surplus 1\.00 TRY \(debit receivable, credit differences\)/)
    const unknown = await runTypedCommand(till.services, ['payment', 'unknown'])
    assert.match(
      unknown,
      new RegExp(`attempt ${attempt} of payment ${id}: charge of 100\\.00 TRY, approved and differing`),
    )
    assert.match(unknown, / {2}bank {9}has 101\.00 TRY, by an inquiry, /)
    assert.match(unknown, /verify +taken +00 +101\.00/)
    assert.match(
      unknown,
      new RegExp(
        `To settle the difference: vezne payment settle-difference ${attempt} --choice return_surplus\\|refund_all\\|accept …$`,
      ),
    )
    const checked = await runTypedCommand(till.services, ['ledger', 'check'])
    assert.match(checked, /\d+ unverified, \d+ verified, [1-9]\d* differing, 0 settled\./)
    assert.match(checked, /DIFFERENCES/)
    await updateUnsettledGauges(till.services)
    const metrics = await till.services.metrics.registry.metrics()
    assert.match(metrics, /^vezne_differing_approvals [1-9]/m)
    assert.match(metrics, /^vezne_unverified_approvals 0$/m)
  })
})

describe('modifications of a charge', async () => {
  const till = await bankPageTill()
  const { refunded } = refundActions(till)

  it('a hold, its capture and a refund are each verified once', async () => {
    const id = await payAtBankPage(till, exactChargeCard, preAuthForm)
    await requestPreAuthResolution(till, id, true)
    await till.pass(5 * minuteMs)
    assert.deepEqual(await verificationLines(till, id), ['hold verified inquiry', 'capture verified inquiry'])
    await refunded(id)
    await till.pass(5 * minuteMs)
    assert.deepEqual((await verificationLines(till, id)).slice(2), ['refund verified inquiry'])
    assert.deepEqual(await inconsistencies(till), [])
  })

  it('a release is verified when nothing is held any more', async () => {
    const id = await payAtBankPage(till, exactChargeCard, preAuthForm)
    await requestPreAuthResolution(till, id, false)
    await till.pass(5 * minuteMs)
    assert.deepEqual(await verificationLines(till, id), ['hold verified inquiry', 'release verified inquiry'])
  })

  it('a hold over a different amount has an event, is in no account, and leaves manual review when it is released', async () => {
    const id = await payAtBankPage(till, overchargeCard, preAuthForm)
    await till.pass(2 * minuteMs)
    assert.deepEqual(await verificationLines(till, id), ['hold differs inquiry 10100'])
    assert.deepEqual((await eventLines(till.services.sql, id))[1], '2 pre_auth.amount_differs')
    assert.equal(await postedDifference(till, id), 0)
    await requestPreAuthResolution(till, id, false)
    await till.pass(5 * minuteMs)
    assert.deepEqual(await verificationLines(till, id), [
      'hold settled inquiry 10100',
      'release verified inquiry',
    ])
    assert.deepEqual(await inconsistencies(till), [])
  })

  it('a capture over a different amount differs', async () => {
    const id = await payAtBankPage(till, shortRefundCard, preAuthForm)
    await till.pass(2 * minuteMs)
    await requestPreAuthResolution(till, id, true)
    await till.pass(5 * minuteMs)
    assert.deepEqual(await verificationLines(till, id), [
      'hold verified inquiry',
      'capture differs inquiry 9900',
    ])
    assert.equal((await eventLines(till.services.sql, id)).at(-1), '3 pre_auth.amount_differs')
    assert.equal(await postedDifference(till, id), -100)
    assert.deepEqual(await inconsistencies(till), [])
  })

  it('a refund over a different amount differs, and its event names the refund', async () => {
    const id = await payAtBankPage(till, shortRefundCard)
    await refunded(id)
    await till.pass(5 * minuteMs)
    assert.deepEqual(await verificationLines(till, id), [
      'charge verified inquiry',
      'refund differs inquiry 9900',
    ])
    const [event] = (await eventRows(till.services.sql, id)).slice(-1)
    const [refund] = await refundActions(till).refundsOf(id)
    assert.equal(event?.kind, 'refund.amount_differs')
    assert.equal(event?.data.difference.refund_id, refund?.id)
    assert.equal(await postedDifference(till, id), 100)
    assert.deepEqual(await inconsistencies(till), [])
  })

  it('a charge that is voided before its inquiry never differs', async () => {
    const id = await payAtBankPage(till, overchargeCard)
    await refunded(id)
    await till.pass(5 * minuteMs)
    assert.deepEqual(await verificationLines(till, id), [
      'charge verified inquiry',
      'refund verified inquiry',
    ])
    assert.equal(await postedDifference(till, id), 0)
    assert.deepEqual(await inconsistencies(till), [])
  })
})

describe('a POS with more approvals than its inquiry limit', () => {
  it('is asked at most the limit per second, about the largest amounts first', async () => {
    const till = await bankPageTill()
    const amounts = [1_000, 9_000, 5_000, 7_000]
    const ids: number[] = []
    for (const amount of amounts)
      ids.push(await payAtBankPage(till, exactChargeCard, `amount=${amount}&currency=TRY`))
    till.clock.advance(2 * minuteMs)
    const verified: number[] = []
    for (let second = 0; second < 4; second++) {
      await Promise.all([processDueVerifications(till.services), processDueVerifications(till.services)])
      assert.equal(await processDueVerifications(till.services), 0)
      const rows = await till.services.sql.many<{ amount: number }>(
        sql`select amount from verifications where state = 'verified' and amount <> all(${verified}::bigint[])`,
      )
      verified.push(...rows.map(({ amount }) => amount))
      assert.equal(verified.length, second + 1)
      till.clock.advance(1_000)
    }
    assert.deepEqual(verified, [9_000, 7_000, 5_000, 1_000])
  })
})
