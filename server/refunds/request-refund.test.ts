import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../../kit/runtime/sql.ts'
import { backendOf } from '../../testing/harness/backend.ts'
import {
  eventLines,
  eventRows,
  modificationLines,
  postingLines,
} from '../../testing/invariants/payment-rows.ts'
import { bonusCard, preAuthForm, refundActions, unrefundableCard } from '../../testing/till/refunds.ts'
import { testTill } from '../../testing/till/till.ts'

const till = await testTill()
const { sql: database } = till.services
const backend = backendOf(till)
const { paid, paidInThree, ask, asked, refunded, refundsOf, statusOf, withManualReview, decide } =
  refundActions(till)
const url = '/v1/transaction/refund'
const dayMs = 24 * 60 * 60_000
const english = { 'accept-language': 'en' }

const givenBack = async (id: number) =>
  (await refundsOf(id)).map(({ state, amount, charged, commission }) => [state, amount, charged, commission])

describe('200', () => {
  it('returns the envelope without data, in both languages, for a form and for JSON', async () => {
    const envelope = (message: string) => ({
      status: true,
      message,
      errors: [],
      error_code: null,
      data: null,
    })
    const turkish = await ask(await paid(), {}, { 'accept-language': 'tr' })
    assert.equal(turkish.status, 200)
    assert.deepEqual(
      turkish.json,
      envelope('İade talebiniz oluşturuldu; güvenlik incelemesinden sonra gerçekleştirilecek.'),
    )
    const body = { transaction_id: await paid(), amount: 2500, description: 'The wrong size' }
    const answer = await backend.json(url, body, english)
    assert.equal(answer.status, 200)
    assert.deepEqual(
      answer.json,
      envelope('The refund request was created and will be executed after a security review.'),
    )
    assert.deepEqual(
      (await refundsOf(body.transaction_id)).map(({ state, amount }) => [state, amount]),
      [['under_review', 2500]],
    )
  })

  it('a refund under review returns nothing yet, and the transaction reads as before', async () => {
    const id = await paid()
    await asked(id)
    assert.deepEqual(await statusOf(id), [1, 2])
    assert.deepEqual(await modificationLines(database, id), [])
    assert.equal((await postingLines(database, id)).length, 2)
  })

  it('a missing amount means the transaction’s amount', async () => {
    const id = await paid()
    await refunded(id)
    assert.deepEqual(await givenBack(id), [['executed', 10_000, 10_000, 179]])
    assert.deepEqual(await statusOf(id), [4, 2])
  })

  it('partial refunds can follow each other until nothing is left', async () => {
    const id = await paid()
    await refunded(id, 4_000)
    assert.deepEqual(await statusOf(id), [5, 2])
    await refunded(id, 5_999)
    assert.deepEqual(await statusOf(id), [5, 2])
    await refunded(id, 1)
    assert.deepEqual(await statusOf(id), [4, 2])
    const { id: attemptId } = await database.one<{ id: number }>(
      sql`select id from payment_attempts where payment_id = ${id}`,
    )
    const line = await till.bank.line(String(attemptId))
    assert.deepEqual([line?.taken, line?.operations], [0, ['authorized', 'refunded', 'refunded', 'refunded']])
  })

  it('a refund leaves the ledger with its share of the commission, exact to the minor unit', async () => {
    const id = await paid()
    const taken = ['payment 9821 balance → receivable', 'commission 179 commission → receivable']
    assert.deepEqual(await postingLines(database, id), taken)
    await refunded(id, 4_000)
    const first = ['refund 3928 receivable → balance', 'refund_commission 72 receivable → commission']
    assert.deepEqual(await postingLines(database, id), [...taken, ...first])
    await refunded(id, 6_000)
    assert.deepEqual((await postingLines(database, id)).slice(4), [
      'refund 5893 receivable → balance',
      'refund_commission 107 receivable → commission',
    ])
  })

  it('the installment surcharge is refunded in proportion, and the last part returns the remainder', async () => {
    const id = await paidInThree()
    for (const amount of [3_333, 3_333, 3_334]) await refunded(id, amount)
    assert.deepEqual(await givenBack(id), [
      ['executed', 3_333, 3_481, 148],
      ['executed', 3_333, 3_482, 149],
      ['executed', 3_334, 3_482, 148],
    ])
    assert.deepEqual(await statusOf(id), [4, 2])
    const { sum } = await database.one<{
      sum: number
    }>(sql`select sum(case when debit = 'receivable' then amount
      else -amount end)::bigint as sum from ledger_transfers where payment_id = ${id}`)
    assert.equal(sum, 0, 'nothing is left in the ledger')
  })

  it('a full refund is a void on the same day, and a refund later', async () => {
    const [today, earlier] = [await paidInThree(), await paid()]
    await refunded(today)
    assert.deepEqual(await modificationLines(database, today), ['refund done by void'])
    await till.pass(3 * dayMs)
    await refunded(earlier)
    assert.deepEqual(await modificationLines(database, earlier), ['refund done by refund'])
    assert.deepEqual(
      [await statusOf(today), await statusOf(earlier)],
      [
        [4, 2],
        [4, 2],
      ],
    )
  })

  it('a captured pre-authorization is refunded like any payment', async () => {
    const id = await paid(bonusCard, preAuthForm)
    const resolved = await backend.form('/v1/transaction/resolve-pre-auth', {
      transaction_id: String(id),
      status: 'true',
    })
    assert.equal(resolved.status, 200)
    await till.pass(0)
    await refunded(id, 1_000)
    assert.deepEqual(await statusOf(id), [5, 2])
  })

  it('another refund can be requested after a rejected or failed one', async () => {
    const id = await paid(unrefundableCard)
    await withManualReview(async () => {
      await asked(id, 6_000)
      await decide(id, 'reject')
      await asked(id, 7_000)
      await decide(id, 'approve')
    })
    await till.pass(3_000)
    await asked(id, 10_000)
    assert.deepEqual(
      (await refundsOf(id)).map(({ state, amount }) => [state, amount]),
      [
        ['rejected', 6_000],
        ['failed', 7_000],
        ['under_review', 10_000],
      ],
    )
    assert.deepEqual(await statusOf(id), [1, 2])
  })
})

describe('events', () => {
  it('follow each step, with the refund beside the transaction’s fields, numbered without gaps', async () => {
    const id = await paid()
    await refunded(id, 4_000)
    await withManualReview(async () => {
      await asked(id, 500)
      await decide(id, 'reject')
    })
    await refunded(id, 6_000)
    assert.deepEqual(await eventLines(database, id), [
      '1 payment.succeeded',
      '2 refund.created',
      '3 refund.executed',
      '4 refund.created',
      '5 refund.rejected',
      '6 refund.created',
      '7 refund.executed',
    ])
    const [succeeded, created, executed, , rejected, , last] = await eventRows(database, id)
    const fieldsOf = (event: typeof created) => Object.keys(event?.data).toSorted()
    assert.deepEqual(fieldsOf(created), [...fieldsOf(succeeded), 'refund'].toSorted())
    const listed = (await backend.get(`/v1/transaction/${id}/refunds`)).json
    assert.deepEqual(executed?.data.refund, listed[2])
    assert.deepEqual(rejected?.data.refund, listed[1])
    assert.deepEqual(last?.data.refund, listed[0])
    assert.deepEqual(created?.data.refund, {
      ...listed[2],
      status: 'under_review',
      waiting_for: 'review',
      due_at: created?.data.refund.due_at,
      reviewed_at: null,
      end_at: null,
    })
    const waitMs = Date.parse(created?.data.refund.due_at) - Date.parse(listed[2].created_at)
    assert.equal(waitMs, 2_000, 'the rules decide then')
    const seen = [created, executed, rejected, last].map((event) => event?.data.payment_status_text)
    assert.deepEqual(seen, ['success', 'partially_refunded', 'partially_refunded', 'refunded'])
    assert.equal(rejected?.data.refund.reason, 'Ürün geri gelmedi')
  })

  it('include a bank’s refusal with its message, and the transaction does not change', async () => {
    const id = await paid(unrefundableCard)
    await refunded(id)
    assert.deepEqual(await eventLines(database, id), [
      '1 payment.succeeded',
      '2 refund.created',
      '3 refund.failed',
    ])
    const { refund, payment_status: status } = (await eventRows(database, id))[2]?.data ?? {}
    assert.deepEqual([status, refund.status, refund.reason], [1, 'failed', '12 Geçersiz işlem'])
    assert.deepEqual(await modificationLines(database, id), ['refund refused by refund'])
    assert.equal((await postingLines(database, id)).length, 2, 'nothing is posted')
  })
})

describe('Idempotency-Key', () => {
  it('a repeated request gets the first response and has no second effect, whatever the refund’s state', async () => {
    const id = await paid()
    const send = (amount = '4000') => ask(id, { amount }, { ...english, 'idempotency-key': `refund ${id}` })
    const first = await send()
    await till.pass(3_000)
    const again = await send()
    assert.deepEqual(
      [first.status, again.text, again.headers['idempotency-replayed']],
      [200, first.text, 'true'],
    )
    assert.deepEqual(
      (await refundsOf(id)).map(({ state }) => state),
      ['executed'],
    )
    assert.deepEqual((await send('1')).json.error_code, 951)
  })

  it('a refusal is not stored: the same key can be used after the other refund has ended', async () => {
    const id = await paid()
    await asked(id, 1_000)
    const headers = { 'idempotency-key': `later ${id}` }
    assert.equal((await ask(id, { amount: '500' }, headers)).json.error_code, 930)
    await till.pass(3_000)
    assert.equal((await ask(id, { amount: '500' }, headers)).status, 200)
  })
})
