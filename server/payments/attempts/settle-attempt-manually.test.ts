import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../../../kit/runtime/sql.ts'
import { gatedHttp, gatedSql, stopAt } from '../../../testing/crash/boundaries.ts'
import { runTypedCommand } from '../../../testing/harness/command-line.ts'
import { testTill } from '../../../testing/till/till.ts'
import { processBankWork } from '../bank-calls/bank-work.ts'
import { attemptWithPaymentOf } from '../records/attempt.sql.ts'
import { attemptWork } from './attempt-work.ts'
import { afterReversal } from './decide.ts'
import { settleAttemptManually } from './settle-attempt-manually.ts'

const till = await testTill()
const { services } = till
const stuck = '4190000000000630'
const hourMs = 60 * 60 * 1000

async function stuckPayment(): Promise<{ paymentId: number; attemptId: number }> {
  const paymentId = await till.start()
  const { context } = await till.pay(paymentId, stuck)
  await till.pass(5 * hourMs)
  return { paymentId, attemptId: context?.attempt.id ?? 0 }
}

const settle = (id: number, outcome: 'taken' | 'not_taken', by = services) =>
  settleAttemptManually(by, { id, outcome, by: 'Ayşe Işık', reason: 'The bank was called.' })

const statusOf = async (paymentId: number) => (await till.result(paymentId)).payment_status_text

describe('a charge with an unknown outcome', () => {
  it('is listed for manual review with every call and answer, and inquiries continue', async () => {
    const { paymentId, attemptId } = await stuckPayment()
    const shown = await runTypedCommand(services, ['payment', 'unknown'])
    for (const words of [
      `attempt ${attemptId} of payment ${paymentId}`,
      'review       needed since',
      'next try',
    ])
      assert.ok(shown.includes(words), shown)
    assert.match(shown, /authorize +unknown/)
    assert.match(shown, /inquiry +unknown/)
    assert.match(shown, /void +declined +96/)
    assert.match(till.lines.join('\n'), new RegExp(`"attempt":${attemptId}.*a charge is still unsettled`))
    assert.ok(shown.includes('419000******0630') && !shown.includes(stuck))
    assert.equal(await statusOf(paymentId), 'waiting')
    await settle(attemptId, 'not_taken')
  })

  it('becomes paid when settled manually as taken, with the usual postings and event', async () => {
    const { paymentId, attemptId } = await stuckPayment()
    await settle(attemptId, 'taken')
    assert.equal(await statusOf(paymentId), 'success')
    const [event] = await services.sql.many(sql`select kind from events where payment_id = ${paymentId}`)
    assert.deepEqual(event, { kind: 'payment.succeeded' })
    const [call] = await services.sql.many(sql`select outcome, detail from bank_calls
      where attempt_id = ${attemptId} and operation = 'manual'`)
    assert.deepEqual(call, { outcome: 'taken', detail: 'Ayşe Işık: The bank was called.' })
    const waiting = await runTypedCommand(services, ['payment', 'unknown'])
    assert.ok(!waiting.includes(String(attemptId)))
  })

  it('is settled without storing a card number in the reason', async () => {
    const { attemptId } = await stuckPayment()
    const reason = `The bank has no charge of ${stuck}.`
    await settleAttemptManually(services, { id: attemptId, outcome: 'not_taken', by: 'Ayşe Işık', reason })
    const call = await services.sql.one(sql`select detail from bank_calls
      where attempt_id = ${attemptId} and operation = 'manual'`)
    assert.deepEqual(call, { detail: 'Ayşe Işık: The bank has no charge of [number redacted].' })
  })

  it('lets its payment continue when settled manually as not taken', async () => {
    const { paymentId, attemptId } = await stuckPayment()
    await settle(attemptId, 'not_taken')
    assert.equal((await till.result(paymentId)).transaction_status_text, 'expired')
  })

  it('needs manual review again if the bank turns out to have it after all', async () => {
    const { attemptId } = await stuckPayment()
    await settle(attemptId, 'not_taken')
    await till.pass(5 * hourMs)
    assert.ok((await runTypedCommand(services, ['payment', 'unknown'])).includes(String(attemptId)))
    await assert.rejects(settle(attemptId, 'taken'), (error: { complaints?: Map<string, unknown> }) =>
      Boolean(error.complaints?.has('outcome')),
    )
  })

  it('cannot be settled while the bank is being asked: its answer may be the opposite', async () => {
    const { attemptId } = await stuckPayment()
    const now = till.clock.now()
    await services.sql.run(sql`insert into bank_calls (merchant_id, id, payment_id, attempt_id, operation, asked_at)
      select merchant_id, 1, payment_id, id, 'void', ${now} from payment_attempts where id = ${attemptId}`)
    await assert.rejects(settle(attemptId, 'taken'), /is asking the bank about it at the moment/)
    till.clock.advance(3 * 60_000)
    await settle(attemptId, 'taken')
  })

  it('cannot be settled if the bank was asked after the operator read it: it may be reversed by now', async () => {
    const { paymentId, attemptId } = await stuckPayment()
    const beforeWrite = stopAt('before begin')
    const settling = settle(attemptId, 'taken', {
      ...services,
      sql: gatedSql(services.sql, beforeWrite.gate),
    })
    await beforeWrite.reached
    const undoing = stopAt('before call void')
    const worker = { ...services, http: gatedHttp(services.http, undoing.gate) }
    till.clock.advance(hourMs)
    const processing = processBankWork(worker, attemptWork, { merchantId: till.merchant.id, id: attemptId })
    await undoing.reached
    beforeWrite.goOn()
    await assert.rejects(settling, /It has changed in the meantime/)
    assert.equal(await statusOf(paymentId), 'waiting')
    undoing.goOn()
    assert.equal(await processing, true)
    await settle(attemptId, 'not_taken')
  })

  it('needs manual review again if it is reversed after it was settled manually as taken', async () => {
    const { attemptId } = await stuckPayment()
    const ownedId = { merchantId: till.merchant.id, id: attemptId }
    await settle(attemptId, 'taken')
    const now = await attemptWithPaymentOf(services.sql, ownedId)
    assert.ok(now)
    const { attempt } = afterReversal(
      now,
      { isAcknowledged: true, chargeStatus: undefined },
      till.clock.now(),
      services.config,
    )
    assert.deepEqual([attempt.state, attempt.needsReviewAt], ['approved', till.clock.now()])
  })

  it('can be settled manually as not taken in any state', async () => {
    const paymentId = await till.start()
    const { context } = await till.pay(paymentId, '4190000000000119')
    assert.ok(context)
    const id = context.attempt.id
    // Its processing kept failing, so it needed manual review while still authorizing.
    await services.sql.run(sql`update payment_attempts set needs_review_at = asked_at where id = ${id}`)
    await settle(id, 'not_taken')
    assert.equal((await till.result(paymentId)).payment_status_text, 'waiting')
    assert.equal((await till.pay(paymentId, '5400360000000003')).context?.payment.state, 'paid')
  })

  it('is settled only once', async () => {
    const { attemptId } = await stuckPayment()
    await settle(attemptId, 'not_taken')
    await assert.rejects(settle(attemptId, 'taken'), (error: { complaints?: Map<string, unknown> }) =>
      Boolean(error.complaints?.has('id')),
    )
  })
})

it('an attempt that does not need manual review cannot be settled manually', async () => {
  const paymentId = await till.start()
  const { context } = await till.pay(paymentId, '4190000000000101')
  const rejected = settle(context?.attempt.id ?? 0, 'not_taken')
  await assert.rejects(rejected, (error: { complaints?: Map<string, unknown> }) =>
    Boolean(error.complaints?.has('id')),
  )
  assert.match(await runTypedCommand(services, ['payment', 'unknown', '--all']), /authorizing/)
  await till.pass(2 * 60_000)
  assert.equal(await statusOf(paymentId), 'success')
})
