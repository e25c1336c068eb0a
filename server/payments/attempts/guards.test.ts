import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from '../../../kit/runtime/sql.ts'
import { gatedHttp, stopAt } from '../../../testing/crash/boundaries.ts'
import { TestClock } from '../../../testing/harness/clock.ts'
import { testProof } from '../../../testing/harness/payer.ts'
import { processDueAttempts } from '../../../testing/till/process-due.ts'
import { testTill } from '../../../testing/till/till.ts'
import type { Bank, ChargeInquiry, Connector } from '../../connectors/index.ts'
import type { Services } from '../../services.ts'
import { processBankWork } from '../bank-calls/bank-work.ts'
import { processPaymentDeadline } from '../deadlines/process-payment-deadline.ts'
import { attemptWithPaymentOf } from '../records/attempt.sql.ts'
import { abandonOrDeclineAttempt } from './abandon-or-decline-attempt.ts'
import { attemptWork } from './attempt-work.ts'
import { authorizeAttempt } from './authorize-attempt.ts'

const till = await testTill()
const { services, merchant, clock } = till
const approving = '5400360000000003'
const lost = '4190000000000101'
const settled = '4190000000000622'
const minuteMs = 60_000

/** Services whose sandbox bank is replaced. */
function opening(open: (bank: Bank) => Bank): Services {
  const connectors = services.connectors.map(
    (connector): Connector => ({
      ...connector,
      open: (tools, access) => open(connector.open(tools, access)),
    }),
  )
  return { ...services, connectors }
}

/** The bank with some methods replaced or removed. */
function over(bank: Bank, methods: { [Method in keyof Bank]?: Bank[Method] | undefined }): Bank {
  return new Proxy(bank, {
    get: (target, name) => {
      if (Object.hasOwn(methods, name)) return methods[name as keyof Bank]
      const method: unknown = Reflect.get(target, name, target)
      return typeof method === 'function' ? method.bind(target) : method
    },
  })
}

async function startedAttempt(pan: string, form?: string): Promise<{ paymentId: number; attemptId: number }> {
  const paymentId = await till.start(form)
  const submitted = await till.submit(paymentId, pan)
  assert.ok(submitted.outcome === 'begun')
  return { paymentId, attemptId: submitted.attempt.id }
}

it('an attempt whose processing fails is postponed by a minute, and needs manual review when it is old', async () => {
  const { attemptId } = await startedAttempt(lost)
  await till.authorize(attemptId)
  const broken = opening(() => {
    throw new Error('a bug')
  })
  const look = () =>
    services.sql.one<{ dueAt: Date; needsReviewAt: Date | null }>(
      sql`select due_at as "dueAt", needs_review_at as "needsReviewAt" from payment_attempts where id = ${attemptId}`,
    )
  clock.advance(minuteMs)
  assert.equal(await processDueAttempts(broken), 0)
  const first = await look()
  assert.deepEqual(first, { dueAt: new Date(clock.now().getTime() + minuteMs), needsReviewAt: null })
  clock.advance(61 * minuteMs)
  await processDueAttempts(broken)
  assert.deepEqual((await look()).needsReviewAt, clock.now())
  await till.pass(2 * minuteMs)
  assert.equal((await look()).needsReviewAt, null, 'it was taken, and that is known now')
})

it('a hold instead of a requested sale is reversed', async () => {
  const { paymentId, attemptId } = await startedAttempt(lost)
  await till.authorize(attemptId)
  const holding = opening((bank) =>
    over(bank, {
      inquire: async (question: ChargeInquiry) => {
        const chargeStatus = await bank.inquire(question)
        return chargeStatus.status === 'taken' ? { ...chargeStatus, status: 'held' } : chargeStatus
      },
    }),
  )
  clock.advance(minuteMs)
  await processDueAttempts(holding)
  assert.equal((await till.result(paymentId)).payment_status_text, 'waiting')
  clock.advance(60 * minuteMs)
  await processDueAttempts(holding)
  await processDueAttempts(holding)
  assert.equal((await till.bank.line(String(attemptId)))?.taken, 0)
})

it('a proof of another kind than the bank requires is not sent to the bank', async () => {
  const { attemptId } = await startedAttempt(approving)
  const proof = { by: 'bank_page', proof: { md: 'x' } } as const
  const { outcome, context } = await authorizeAttempt(services, merchant, { attemptId }, proof)
  assert.deepEqual([outcome, context?.attempt.code], ['not_asked', 'pos_unreachable'])
  assert.equal(await till.bank.line(String(attemptId)), undefined)
})

it('a bank without pre-authorization is not asked for a hold', async () => {
  const { attemptId } = await startedAttempt(approving, 'amount=5000&currency=TRY&pre_auth=true')
  const unable = opening((bank) => over(bank, { preAuthorize: undefined }))
  const { outcome } = await authorizeAttempt(unable, merchant, { attemptId }, testProof)
  assert.equal(outcome, 'not_asked')
  assert.equal(await till.bank.line(String(attemptId)), undefined)
})

it('a payment does not expire before its deadline', async () => {
  const id = await till.start()
  assert.equal(await processPaymentDeadline(services, { merchantId: merchant.id, id }), false)
  clock.advance(merchant.pageLifetimeMinutes * minuteMs)
  assert.equal(await processPaymentDeadline(services, { merchantId: merchant.id, id }), true)
  assert.equal(await processPaymentDeadline(services, { merchantId: merchant.id, id }), false)
})

it('while a bank is asked, the payment does not expire, and its attempt is neither abandoned nor processed early', async () => {
  const { paymentId, attemptId } = await startedAttempt(lost)
  await till.authorize(attemptId)
  const ownedId = { merchantId: merchant.id, id: attemptId }
  const before = await attemptWithPaymentOf(services.sql, ownedId)
  assert.deepEqual([before?.payment.state, before?.attempt.state], ['authorizing', 'authorizing'])
  assert.equal(await processBankWork(services, attemptWork, ownedId), false)
  assert.equal(
    await abandonOrDeclineAttempt(services, merchant, { id: attemptId, code: 'superseded' }),
    undefined,
  )
  clock.advance(merchant.pageLifetimeMinutes * minuteMs)
  assert.equal(await processPaymentDeadline(services, { merchantId: merchant.id, id: paymentId }), false)
  assert.deepEqual(await attemptWithPaymentOf(services.sql, ownedId), before)
})

it('a bank’s answer is recorded even if applying it fails', async () => {
  const { attemptId, paymentId } = await startedAttempt(approving)
  // The event cannot be created: an error of ours after the bank's answer.
  const confused = { ...merchant, timeZone: 'Nowhere/At-All' }
  await assert.rejects(authorizeAttempt(services, confused, { attemptId }, testProof))
  const calls = await services.sql.many(sql`select outcome from bank_calls where attempt_id = ${attemptId}`)
  assert.deepEqual(calls, [{ outcome: 'approved' }])
  await till.pass(2 * minuteMs)
  assert.equal((await till.result(paymentId)).payment_status_text, 'success')
})

it('a bank’s answer is recorded even if the lease has expired and another instance has asked again', async () => {
  const { attemptId } = await startedAttempt(settled)
  await till.authorize(attemptId)
  const ownedId = { merchantId: merchant.id, id: attemptId }
  clock.advance(60 * minuteMs)
  await processBankWork(services, attemptWork, ownedId)
  const stop = stopAt('after call void')
  const sleeper = {
    ...services,
    clock: new TestClock(clock.now().toISOString()),
    http: gatedHttp(services.http, stop.gate),
  }
  const processing = processBankWork(sleeper, attemptWork, ownedId)
  await stop.reached
  clock.advance(services.config.bankTimeoutSeconds * 3 * 1000)
  assert.equal(await processBankWork(services, attemptWork, ownedId), true)
  stop.goOn()
  assert.equal(await processing, false)
  const calls = await services.sql.many(sql`select operation, outcome from bank_calls
    where attempt_id = ${attemptId} order by asked_at, id`)
  assert.deepEqual(calls, [
    { operation: 'authorize', outcome: 'unknown' },
    { operation: 'inquiry', outcome: 'unknown' },
    { operation: 'void', outcome: 'declined' },
    { operation: 'void', outcome: 'declined' },
    { operation: 'refund', outcome: 'approved' },
  ])
})
