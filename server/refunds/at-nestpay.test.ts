import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../../kit/runtime/sql.ts'
import { gatedSql, stopAt } from '../../testing/crash/boundaries.ts'
import { backendOf } from '../../testing/harness/backend.ts'
import { eventLines, modificationLines, postingLines } from '../../testing/invariants/payment-rows.ts'
import { bankPageTill, passBankDay, payAtBankPage } from '../../testing/till/pay-at-bank-page.ts'
import { processDueRefunds } from '../../testing/till/process-due.ts'
import { preAuthForm, refundActions } from '../../testing/till/refunds.ts'
import type { Connector } from '../connectors/index.ts'
import { connectors } from '../connectors/index.ts'

const till = await bankPageTill()
const { services, clock } = till
const { sql: database } = services
const { asked, refunded, refundsOf, statusOf } = refundActions(till)
const world = '5451030000000018'
const hourMs = 60 * 60 * 1000

const paid = (pan = world, form?: string) => payAtBankPage(till, pan, form)

interface ModificationRow {
  state: string
  reason: string | null
  tries: number
  needsReview: boolean
}

const modificationOf = (paymentId: number) =>
  database.one<ModificationRow>(sql`select state, decline_reason as reason, tries,
    needs_review_at is not null as "needsReview" from modifications where payment_id = ${paymentId}`)

async function lineOf(paymentId: number) {
  const { id } = await database.one<{ id: number }>(
    sql`select id from payment_attempts where payment_id = ${paymentId}`,
  )
  const line = await till.bank.line(String(id))
  return [line?.held, line?.taken, line?.operations]
}

describe('at a bank that makes no partial refund before the end of its day', () => {
  it('a partial refund waits without manual review, and is then executed once', async () => {
    const id = await paid()
    await refunded(id, 4_000)
    assert.deepEqual(await modificationOf(id), {
      ...{ state: 'doing', reason: 'not_settled_yet', tries: 0, needsReview: false },
    })
    assert.deepEqual((await refundsOf(id))[0]?.state, 'approved')
    await till.pass(5 * hourMs)
    assert.deepEqual(await lineOf(id), [0, 10_000, ['authorized']])
    assert.deepEqual(await statusOf(id), [1, 2])
    await passBankDay(till)
    assert.deepEqual(await statusOf(id), [5, 2])
    assert.deepEqual(await lineOf(id), [0, 6_000, ['authorized', 'refunded']])
    assert.deepEqual(await modificationLines(database, id), ['refund done by refund'])
    assert.deepEqual((await eventLines(database, id)).slice(1), ['2 refund.created', '3 refund.executed'])
    await refunded(id, 6_000)
    assert.deepEqual(
      [await statusOf(id), await lineOf(id)],
      [
        [4, 2],
        [0, 0, ['authorized', 'refunded', 'refunded']],
      ],
    )
  })

  it('a full refund is a void on the same day, and a refund on the next', async () => {
    const [today, earlier] = [await paid(), await paid()]
    await refunded(today)
    assert.deepEqual(await modificationLines(database, today), ['refund done by void'])
    await passBankDay(till)
    // The service tries a void first because the bank's day may still be open, then a refund.
    await refunded(earlier)
    assert.deepEqual(await modificationLines(database, earlier), ['refund done by refund'])
    assert.deepEqual(
      [await lineOf(today), await lineOf(earlier)],
      [
        [0, 0, ['authorized', 'voided']],
        [0, 0, ['authorized', 'refunded']],
      ],
    )
  })

  it('a partial refund whose response is lost is found in the bank’s history and not repeated', async () => {
    const id = await paid('4190000000000705')
    await passBankDay(till)
    await refunded(id, 4_000)
    assert.deepEqual(await statusOf(id), [1, 2])
    await till.pass(2 * hourMs)
    assert.deepEqual(
      [await statusOf(id), await lineOf(id)],
      [
        [5, 2],
        [0, 6_000, ['authorized', 'refunded']],
      ],
    )
  })

  it('a partial refund that never reached the bank is requested again, once it can no longer be on its way', async () => {
    const id = await paid('4190000000000713')
    await passBankDay(till)
    await asked(id, 4_000)
    await till.pass(50 * 60_000)
    assert.deepEqual(await lineOf(id), [0, 10_000, ['authorized']], 'it may still be on its way')
    await till.pass(3 * hourMs)
    assert.deepEqual(
      [await statusOf(id), await lineOf(id)],
      [
        [5, 2],
        [0, 6_000, ['authorized', 'refunded']],
      ],
    )
    const { count } = await database.one<{ count: number }>(sql`select count(*)::int as count from bank_calls
      where payment_id = ${id} and operation = 'refund'`)
    assert.equal(count, 2)
  })

  it('a partial refund that a killed process requested after an early refusal is looked up before it is requested again', async () => {
    const id = await paid()
    await refunded(id, 4_000)
    clock.advance(25 * hourMs)
    const { gate, reached } = stopAt('before finish')
    processDueRefunds({ ...services, sql: gatedSql(database, gate) }).catch(() => undefined)
    await reached
    await till.pass(10 * 60_000)
    const calls = await database.many<{ operation: string }>(
      sql`select operation from bank_calls where payment_id = ${id} and operation <> 'verify'
        order by asked_at desc, id desc limit 2`,
    )
    assert.deepEqual(
      calls.map(({ operation }) => operation),
      ['inquiry', 'refund'],
    )
    assert.deepEqual(
      [await statusOf(id), await lineOf(id)],
      [
        [5, 2],
        [0, 6_000, ['authorized', 'refunded']],
      ],
    )
  })
})

describe('a bank that does not report its refunds', () => {
  /** Connectors without a refund history. */
  const forgetful: readonly Connector[] = connectors.map((connector) => ({
    ...connector,
    open: (tools, access) => {
      const bank = connector.open(tools, access)
      return {
        authentication: bank.authentication,
        authorize: (charge) => bank.authorize(charge),
        inquire: (question) => bank.inquire(question),
        refund: async (modification) => (await bank.refund?.(modification)) ?? assert.fail(),
        inquireRefund: async () => ({ status: 'unknown', why: 'it does not say' }),
      }
    },
  }))

  it('is not asked for a partial refund again: the refund goes to manual review, and ends once the bank reports it', async () => {
    const id = await paid('4190000000000713')
    await passBankDay(till)
    services.connectors = forgetful
    try {
      await refunded(id, 4_000)
      await till.pass(5 * hourMs)
    } finally {
      services.connectors = connectors
    }
    const { count } = await database.one<{ count: number }>(sql`select count(*)::int as count from bank_calls
      where payment_id = ${id} and operation = 'refund'`)
    assert.equal(count, 1)
    const { state, needsReview } = await modificationOf(id)
    assert.deepEqual([state, needsReview], ['doing', true])
    await till.pass(2 * hourMs)
    assert.deepEqual(
      [await statusOf(id), await lineOf(id)],
      [
        [5, 2],
        [0, 6_000, ['authorized', 'refunded']],
      ],
    )
  })
})

describe('a pre-authorization at a bank on NestPay', () => {
  const backend = backendOf(till)

  it('can be captured and refunded, or released', async () => {
    const [taken, released] = [await paid(world, preAuthForm), await paid(world, preAuthForm)]
    const url = '/v1/transaction/resolve-pre-auth'
    await backend.form(url, { transaction_id: String(taken), status: 'true' })
    await backend.form(url, { transaction_id: String(released), status: 'false' })
    await till.pass(0)
    assert.deepEqual(
      [await statusOf(taken), await statusOf(released)],
      [
        [1, 2],
        [2, 3],
      ],
    )
    assert.deepEqual(await lineOf(taken), [0, 10_000, ['held', 'captured']])
    assert.deepEqual(await lineOf(released), [0, 0, ['held', 'voided']])
    assert.deepEqual(
      [(await postingLines(database, taken)).length, (await postingLines(database, released)).length],
      [2, 0],
    )
  })
})
