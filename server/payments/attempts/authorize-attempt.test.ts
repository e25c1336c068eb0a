import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { HttpRequest } from '../../../kit/outbound/http-client.ts'
import type { CombinedWrite } from '../../../kit/runtime/sql.ts'
import { RequestDeadlineExceeded, sql } from '../../../kit/runtime/sql.ts'
import { testBank } from '../../../testing/harness/bank.ts'
import { testProof, testProofOf } from '../../../testing/harness/payer.ts'
import { sqlWith } from '../../../testing/harness/sql.ts'
import { testTill } from '../../../testing/till/till.ts'
import type { BatchingSql } from '../../database/batching-sql.ts'
import { queryOf } from '../../database/combined-write.sql.ts'
import { RequestSql } from '../../database/request-sql.ts'
import { attemptWithPaymentOf } from '../records/attempt.sql.ts'
import { authorizeAttempt } from './authorize-attempt.ts'

const till = await testTill()
const { services, merchant, clock } = till
const bonus = '5400360000000003'

async function submitted(pan = bonus, form?: string) {
  const paymentId = await till.start(form)
  const submission = await till.submit(paymentId, pan)
  assert.equal(submission.outcome, 'begun')
  return { paymentId, attemptId: submission.attempt.id }
}

describe('a cardholder who agreed', () => {
  const others = [
    ['less', testProofOf(9_999)],
    ['more', testProofOf(10_001)],
    ['another currency', testProofOf(10_000, 'USD')],
  ] as const
  for (const [name, proof] of others) {
    it(`to ${name} is not charged: no bank is asked, and the attempt ends`, async () => {
      const { paymentId, attemptId } = await submitted()
      const { outcome, context } = await authorizeAttempt(services, merchant, { attemptId }, proof)
      assert.deepEqual(
        [outcome, context?.attempt.state, context?.attempt.code],
        ['not_asked', 'abandoned', 'other_terms'],
      )
      const calls = await services.sql.many(sql`select from bank_calls where payment_id = ${paymentId}`)
      assert.equal(calls.length, 0)
      assert.equal((await till.result(paymentId)).payment_status_text, 'waiting')
    })
  }
})

it('no bank is asked for a merchant that was suspended meanwhile, and the attempt ends', async () => {
  const { paymentId, attemptId } = await submitted()
  const suspended = { ...merchant, state: 'suspended' } as const
  const { outcome, context } = await authorizeAttempt(services, suspended, { attemptId }, testProof)
  assert.deepEqual(
    [outcome, context?.attempt.state, context?.attempt.code],
    ['not_asked', 'abandoned', 'merchant_suspended'],
  )
  const calls = await services.sql.many(sql`select from bank_calls where payment_id = ${paymentId}`)
  assert.equal(calls.length, 0)
})

describe('an authenticated payer', () => {
  it('pays: the merchant can read the result, gets one event and has the ledger transfers', async () => {
    const { paymentId, attemptId } = await submitted()
    const { outcome, context } = await till.authorize(attemptId)
    assert.equal(outcome, 'asked')
    assert.equal(context?.payment.state, 'paid')
    const result = await till.result(paymentId)
    assert.deepEqual(
      [result.payment_status, result.transaction_status, result.transaction_code],
      [1, 2, '00'],
    )
    const events = await services.sql.many(
      sql`select kind, number, data from events where payment_id = ${paymentId}`,
    )
    assert.deepEqual(events, [{ kind: 'payment.succeeded', number: 1, data: result }])
    const transfers = await services.sql.many(sql`select reason, debit, credit, amount from ledger_transfers
      where payment_id = ${paymentId} order by amount`)
    assert.deepEqual(transfers, [
      { reason: 'commission', debit: 'receivable', credit: 'commission', amount: 179 },
      { reason: 'payment', debit: 'receivable', credit: 'balance', amount: 9_821 },
    ])
    assert.equal((await till.bank.line(String(attemptId)))?.taken, 10_000)
  })

  it('gets a hold for a pre-authorization, and nothing is posted yet', async () => {
    const { paymentId, attemptId } = await submitted(bonus, 'amount=5000&currency=TRY&pre_auth=true')
    assert.equal((await till.authorize(attemptId)).context?.payment.state, 'held')
    const result = await till.result(paymentId)
    assert.deepEqual([result.payment_status, result.transaction_status, result.pre_auth], [3, 2, true])
    assert.deepEqual(
      await services.sql.many(sql`select from ledger_transfers where payment_id = ${paymentId}`),
      [],
    )
    const line = await till.bank.line(String(attemptId))
    assert.deepEqual([line?.held, line?.taken], [5_000, 0])
  })

  it('is charged once, even if the proof arrives several times at the same time', async () => {
    const { attemptId } = await submitted()
    const all = await Promise.all(Array.from({ length: 8 }, () => till.authorize(attemptId)))
    assert.equal(all.filter(({ outcome }) => outcome === 'asked').length, 1)
    assert.equal((await till.authorize(attemptId)).outcome, 'not_asked')
    assert.deepEqual((await till.bank.line(String(attemptId)))?.operations, ['authorized'])
  })

  it('is not charged if the payment page expired meanwhile', async () => {
    const { paymentId, attemptId } = await submitted()
    clock.advance(merchant.pageLifetimeMinutes * 60_000)
    assert.equal((await till.authorize(attemptId)).outcome, 'not_asked')
    await till.pass(1_000)
    assert.equal((await till.result(paymentId)).transaction_status_text, 'expired')
    assert.equal(await till.bank.line(String(attemptId)), undefined)
  })

  it('has a payment that does not expire while the bank is asked: the answer decides', async () => {
    const { paymentId, attemptId } = await submitted('4190000000000101')
    clock.advance((merchant.pageLifetimeMinutes - 1) * 60_000)
    await till.authorize(attemptId)
    clock.advance(2 * 60_000)
    assert.equal((await till.result(paymentId)).payment_status_text, 'waiting')
    await till.pass(1_000)
    assert.equal((await till.result(paymentId)).payment_status_text, 'success')
  })
})

it('the answer to an earlier card is not shown while the bank is asked about the next one', async () => {
  const paymentId = await till.start()
  await till.pay(paymentId, '4111111111111129')
  assert.equal((await till.result(paymentId)).transaction_code, '51')
  await till.pay(paymentId, '4190000000000101')
  const { transaction_code, transaction_message } = await till.result(paymentId)
  assert.deepEqual([transaction_code, transaction_message], [null, null])
})

it('a duplicate reference is not a decline: the bank has the charge, and the payment is paid', async () => {
  const { paymentId, attemptId } = await submitted()
  // A proxy delivers the request twice and returns the second answer.
  const { http } = services
  const twice = {
    ...services,
    http: { send: async (request: HttpRequest) => http.send(request).then(() => http.send(request)) },
  }
  const { context } = await authorizeAttempt(twice, merchant, { attemptId }, testProof)
  assert.equal(context?.payment.state, 'authorizing')
  await till.pass(61_000)
  assert.equal((await till.result(paymentId)).payment_status_text, 'success')
  assert.deepEqual((await till.bank.line(String(attemptId)))?.operations, ['authorized'])
})

describe('a request that passes its deadline', () => {
  /** Authorizes with services whose deadline passes on demand. */
  const authorized = (attemptId: number, own: Partial<typeof services>) => {
    const sql = new RequestSql(own.sql ?? services.sql)
    const authorizing = authorizeAttempt({ ...services, ...own, sql }, merchant, { attemptId }, testProof)
    return { authorizing, passDeadline: () => sql.end(new RequestDeadlineExceeded()) }
  }

  it('before the call is recorded asks no bank', async () => {
    const { paymentId, attemptId } = await submitted()
    const { authorizing, passDeadline } = authorized(attemptId, {})
    passDeadline()
    await assert.rejects(authorizing, RequestDeadlineExceeded)
    assert.equal(await till.bank.line(String(attemptId)), undefined)
    assert.equal((await till.authorize(attemptId)).context?.payment.state, 'paid')
    assert.equal((await till.result(paymentId)).payment_status_text, 'success')
  })

  it('while the call is being recorded asks the bank and records its answer', async () => {
    const { paymentId, attemptId } = await submitted()
    const asking = Promise.withResolvers<() => void>()
    const own = sqlWith(services.sql, {
      one: async (query) => {
        const row = await services.sql.one(query)
        if (query.text.includes('update payments')) (await asking.promise)()
        return row as never
      },
    })
    const { authorizing, passDeadline } = authorized(attemptId, { sql: own })
    asking.resolve(passDeadline)
    assert.equal((await authorizing).outcome, 'asked')
    assert.equal((await till.result(paymentId)).payment_status_text, 'success')
  })

  it('during the bank call still records the bank’s answer', async () => {
    const { paymentId, attemptId } = await submitted()
    const answered = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    const http = {
      send: async (request: HttpRequest) => {
        const answer = await services.http.send(request)
        answered.resolve()
        await released.promise
        return answer
      },
    }
    const { authorizing, passDeadline } = authorized(attemptId, { http })
    await answered.promise
    passDeadline()
    released.resolve()
    assert.equal((await authorizing).context?.payment.state, 'paid')
    assert.equal((await till.result(paymentId)).payment_status_text, 'success')
    assert.deepEqual((await till.bank.line(String(attemptId)))?.operations, ['authorized'])
  })
})

describe('the charge is not made, and the payer can try again,', () => {
  const mayTryAgain = async (paymentId: number, attemptId: number, code: string) => {
    assert.equal((await till.authorize(attemptId)).outcome, 'not_asked')
    const context = await attemptWithPaymentOf(services.sql, { merchantId: merchant.id, id: attemptId })
    assert.deepEqual([context?.attempt.state, context?.attempt.code], ['abandoned', code])
    assert.equal(context?.payment.state, 'open')
    assert.equal(await till.bank.line(String(attemptId)), undefined)
    assert.equal((await till.pay(paymentId, bonus)).context?.payment.state, 'paid')
  }

  it('if the sealed card is lost', async () => {
    const { paymentId, attemptId } = await submitted()
    await services.sql.run(sql`truncate sealed_cards`)
    await mayTryAgain(paymentId, attemptId, 'card_lost')
  })

  it('if the secrets of the POS cannot be opened', async () => {
    const { paymentId, attemptId } = await submitted()
    const [credentials] = await services.sql.many<{ id: number; secrets: Buffer }>(
      sql`select id, secrets from pos_credentials where name = 'Deneme Bonus POS'`,
    )
    await services.sql.run(sql`update pos_credentials set secrets = '\\x00' where id = ${credentials?.id}`)
    assert.equal((await till.authorize(attemptId)).outcome, 'not_asked')
    await services.sql.run(
      sql`update pos_credentials set secrets = ${credentials?.secrets} where id = ${credentials?.id}`,
    )
    const context = await attemptWithPaymentOf(services.sql, { merchantId: merchant.id, id: attemptId })
    assert.equal(context?.attempt.code, 'pos_unreachable')
    assert.equal((await till.pay(paymentId, bonus)).context?.payment.state, 'paid')
  })

  it('if the process was paused between recording the call and making it', async () => {
    const { attemptId, paymentId } = await submitted()
    const slow = { ...services, sql: pausingAfter(services.sql, 'update payments') }
    const { outcome } = await authorizeAttempt(slow, merchant, { attemptId }, testProof)
    assert.equal(outcome, 'not_asked')
    assert.equal(await till.bank.line(String(attemptId)), undefined)
    assert.equal((await till.result(paymentId)).payment_status_text, 'waiting')
  })

  it('if the bank cannot be reached, so that it certainly did nothing', async () => {
    const { attemptId, paymentId } = await submitted()
    const closed = await testBank({ sql: services.sql, clock })
    await closed.close()
    const away = { ...services, config: { ...services.config, sandboxUrl: closed.address } }
    const { context } = await authorizeAttempt(away, merchant, { attemptId }, testProof)
    assert.deepEqual(
      [context?.attempt.state, context?.attempt.declineReason],
      ['declined', 'bank_not_reached'],
    )
    assert.equal((await till.pay(paymentId, bonus)).context?.payment.state, 'paid')
  })
})

it('a sealed card is erased when the bank is asked, and when the page expires', async () => {
  const cardsLeft = async () => (await services.sql.many(sql`select from sealed_cards`)).length
  const { attemptId } = await submitted()
  assert.equal(await cardsLeft(), 1)
  await till.authorize(attemptId)
  assert.equal(await cardsLeft(), 0)
  await submitted()
  await till.pass(merchant.pageLifetimeMinutes * 60_000)
  assert.equal(await cardsLeft(), 0)
})

/** A database that pauses the process for eleven seconds after a matching query. */
function pausingAfter(inner: BatchingSql, words: string): BatchingSql {
  const write = async <Row extends object>(combined: CombinedWrite) => {
    const row = await inner.write<Row>(combined)
    if (queryOf(combined).text.includes(words)) clock.advance(11_000)
    return row
  }
  return sqlWith(inner, { write })
}
