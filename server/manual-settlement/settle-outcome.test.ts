import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../../kit/runtime/sql.ts'
import { gatedHttp, gatedSql, stopAt } from '../../testing/crash/boundaries.ts'
import { isRefusedFor, runTypedCommand } from '../../testing/harness/command-line.ts'
import { inconsistencies } from '../../testing/invariants/consistency.ts'
import { assertInvariants } from '../../testing/invariants/invariants.ts'
import { processDueCapturesAndReleases, processDueRefunds } from '../../testing/till/process-due.ts'
import { testTill } from '../../testing/till/till.ts'
import { reviewDueRefunds } from '../refunds/index.ts'

const till = await testTill()
const { services, clock } = till
const hourMs = 60 * 60 * 1000

/**
 * Cards whose first modification is done, is not done, or always fails; for the first two the answer is lost.
 */
const cards = { done: '4190000000000705', not_done: '4190000000000713', never: '4190000000000820' } as const

const post = async (url: string, form: string) =>
  till.call({ method: 'POST', url: `/v1/transaction/${url}`, token: await till.token(), form })

const settle = (id: number, outcome: string, by = services) =>
  runTypedCommand(by, [
    ...['payment', 'settle-outcome', String(id), '--outcome', outcome],
    ...['--by', 'Ayşe Işık', '--reason', 'The bank was called.'],
  ])

/** A modification that the bank was asked for and has not answered, in manual review. */
async function stuck(kind: 'capture' | 'release' | 'refund', card: string) {
  const paymentId = await till.start(`amount=10000&currency=TRY&pre_auth=${kind !== 'refund'}`)
  await till.pay(paymentId, card)
  if (kind === 'refund') await post('refund', `transaction_id=${paymentId}&amount=4000&description=back`)
  else await post('resolve-pre-auth', `transaction_id=${paymentId}&status=${kind === 'capture'}`)
  clock.advance(2_000)
  await reviewDueRefunds(services)
  await (kind === 'refund' ? processDueRefunds(services) : processDueCapturesAndReleases(services))
  const [modification] = await services.sql.many<{ id: number }>(sql`select id from modifications
    where payment_id = ${paymentId} and state = 'doing' and asked_at is not null`)
  assert.ok(modification, 'the bank was asked for it')
  await services.sql.run(
    sql`update modifications set needs_review_at = asked_at, due_at = ${later(hourMs)} where id = ${modification.id}`,
  )
  // No bank call counts as under way any more.
  clock.advance(3 * 60_000)
  return { paymentId, modificationId: modification.id }
}

const later = (ms: number) => new Date(clock.now().getTime() + ms)
const statusOf = async (paymentId: number) => (await till.result(paymentId)).payment_status_text
const kindsOf = (paymentId: number) =>
  services.sql
    .many<{ kind: string }>(sql`select kind from events where payment_id = ${paymentId} order by number`)
    .then((events) => events.map(({ kind }) => kind))

/** Checks the invariants now, and the consistency three hours later. */
async function assertConsistent(paymentId: number): Promise<void> {
  await assertInvariants(services.sql, await till.bank.book(), [paymentId])
  await till.pass(3 * hourMs)
  assert.deepEqual(await inconsistencies(till), [])
}

describe('a modification settled manually', () => {
  it('a capture that was done makes the payment paid, with the usual postings and event, and stores the operator’s name', async () => {
    const { paymentId, modificationId } = await stuck('capture', cards.done)
    assert.equal(await settle(modificationId, 'done'), `The capture is done, payment ${paymentId} is paid.`)
    assert.equal(await statusOf(paymentId), 'success')
    assert.deepEqual(await kindsOf(paymentId), ['payment.pre_authorized', 'pre_auth.completed'])
    const [bankCall] =
      await services.sql.many(sql`select modification_id as "modificationId", outcome, detail from bank_calls
      where payment_id = ${paymentId} and operation = 'manual'`)
    assert.deepEqual(bankCall, { modificationId, outcome: 'done', detail: 'Ayşe Işık: The bank was called.' })
    await assertConsistent(paymentId)
  })

  it('a capture that was not done makes the payment fail, and the hold is released', async () => {
    const { paymentId, modificationId } = await stuck('capture', cards.not_done)
    assert.equal(
      await settle(modificationId, 'not_done'),
      `The capture is refused, payment ${paymentId} is failed.`,
    )
    assert.equal(await statusOf(paymentId), 'failed')
    assert.deepEqual(await kindsOf(paymentId), ['payment.pre_authorized', 'pre_auth.failed'])
    await till.pass(hourMs)
    const modifications = await services.sql.many(
      sql`select kind, state from modifications where payment_id = ${paymentId} order by id`,
    )
    assert.deepEqual(modifications, [
      { kind: 'capture', state: 'refused' },
      { kind: 'release', state: 'done' },
    ])
    await assertConsistent(paymentId)
  })

  it('a release cannot be settled as not done, because the hold must end', async () => {
    const { paymentId, modificationId } = await stuck('release', cards.done)
    await assert.rejects(settle(modificationId, 'not_done'), isRefusedFor('outcome'))
    assert.equal(await statusOf(paymentId), 'pre_authorized')
    assert.equal(await settle(modificationId, 'done'), `The release is done, payment ${paymentId} is failed.`)
    await assertConsistent(paymentId)
  })

  it('a refund that was done is executed', async () => {
    const { paymentId, modificationId } = await stuck('refund', cards.done)
    assert.equal(
      await settle(modificationId, 'done'),
      `The refund is done, payment ${paymentId} is partly_refunded.`,
    )
    assert.equal(await statusOf(paymentId), 'partially_refunded')
    assert.deepEqual(await kindsOf(paymentId), ['payment.succeeded', 'refund.created', 'refund.executed'])
    await assertConsistent(paymentId)
  })

  it('a refund that was not done fails, and can be requested again', async () => {
    const { paymentId, modificationId } = await stuck('refund', cards.not_done)
    assert.equal(
      await settle(modificationId, 'not_done'),
      `The refund is refused, payment ${paymentId} is paid.`,
    )
    assert.deepEqual(await kindsOf(paymentId), ['payment.succeeded', 'refund.created', 'refund.failed'])
    assert.equal((await post('refund', `transaction_id=${paymentId}&description=again`)).status, 200)
    await assertConsistent(paymentId)
    assert.equal(await statusOf(paymentId), 'refunded')
  })
})

describe('a manual settlement is refused', () => {
  it('while the bank is being asked: its answer may be the opposite', async () => {
    const { modificationId } = await stuck('refund', cards.done)
    await services.sql.run(sql`insert into bank_calls (merchant_id, id, payment_id, attempt_id, modification_id, operation, asked_at)
      select merchant_id, 1, payment_id, attempt_id, id, 'refund', ${clock.now()} from modifications where id = ${modificationId}`)
    await assert.rejects(settle(modificationId, 'done'), /is asking the bank about it at the moment/)
    clock.advance(3 * 60_000)
    await settle(modificationId, 'done')
  })

  it('if the bank was asked after the operator read the modification', async () => {
    const { paymentId, modificationId } = await stuck('capture', cards.not_done)
    const settleGate = stopAt('before begin')
    const settling = settle(modificationId, 'not_done', {
      ...services,
      sql: gatedSql(services.sql, settleGate.gate),
    })
    await settleGate.reached
    const asking = stopAt('before call capture')
    clock.advance(hourMs)
    const processing = processDueCapturesAndReleases({
      ...services,
      http: gatedHttp(services.http, asking.gate),
    })
    await asking.reached
    settleGate.goOn()
    await assert.rejects(settling, /It has changed in the meantime/)
    assert.equal(await statusOf(paymentId), 'pre_authorized')
    asking.goOn()
    await processing
    assert.equal(await statusOf(paymentId), 'success')
    await assertConsistent(paymentId)
  })

  it('if the modification is not in manual review, is already settled or does not exist', async () => {
    const { modificationId } = await stuck('refund', cards.done)
    await services.sql.run(sql`update modifications set needs_review_at = null where id = ${modificationId}`)
    await assert.rejects(settle(modificationId, 'done'), isRefusedFor('id'))
    await services.sql.run(
      sql`update modifications set needs_review_at = asked_at where id = ${modificationId}`,
    )
    await settle(modificationId, 'done')
    await assert.rejects(settle(modificationId, 'done'), isRefusedFor('id'))
    await assert.rejects(settle(99_999_999_999_999, 'taken'), isRefusedFor('id'))
  })

  it('for a charge with the outcome of a modification, and for a modification with that of a charge', async () => {
    const { paymentId, modificationId } = await stuck('release', cards.never)
    await assert.rejects(settle(modificationId, 'taken'), isRefusedFor('outcome'))
    const [attempt] = await services.sql.many<{ id: number }>(
      sql`select id from payment_attempts where payment_id = ${paymentId}`,
    )
    await assert.rejects(settle(attempt?.id ?? 0, 'done'), isRefusedFor('outcome'))
    await settle(modificationId, 'done')
  })
})

it('a charge is settled by the same command', async () => {
  const paymentId = await till.start()
  const { context: situation } = await till.pay(paymentId, '4190000000000630')
  await till.pass(5 * hourMs)
  const id = situation?.attempt.id ?? 0
  assert.equal(await settle(id, 'not_taken'), `Attempt ${id} is reversed, payment ${paymentId} is expired.`)
})
