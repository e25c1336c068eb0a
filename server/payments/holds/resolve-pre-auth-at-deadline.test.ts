import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { sql } from '../../../kit/runtime/sql.ts'
import { backendOf } from '../../../testing/harness/backend.ts'
import { runTypedCommand } from '../../../testing/harness/command-line.ts'
import { eventLines, modificationLines, postingLines } from '../../../testing/invariants/payment-rows.ts'
import { bonusCard, preAuthForm, refundActions } from '../../../testing/till/refunds.ts'
import { testTill } from '../../../testing/till/till.ts'
import { requireMerchant, setMerchantState } from '../../merchants/index.ts'
import { preAuthDeadlineOf } from '../records/payment.ts'

const till = await testTill()
const { services, merchant } = till
const { sql: database } = services
const backend = backendOf(till)
const { paid, statusOf } = refundActions(till)
const secondMs = 1_000
const hourMs = 60 * 60 * secondMs
const dayMs = 24 * hourMs

const held = () => paid(bonusCard, preAuthForm)

const isHeld = [3, 2]
const isReleased = [2, 3]
const isTaken = [1, 2]

/** Changes the merchant as an operator does. Each charge reads the merchant again. */
async function change(...words: string[]): Promise<string> {
  const printed = await runTypedCommand(services, ['merchant', 'change', String(merchant.id), ...words])
  Object.assign(merchant, await requireMerchant(services, merchant.id))
  return printed
}

const deadline = (hours: number, ...more: string[]) =>
  change(
    '--pre-auth-deadline-hours',
    String(hours),
    '--at-pre-auth-deadline',
    ...(more.length > 0 ? more : ['release']),
  )
const noDeadline = () => change('--clear', 'pre-auth-deadline-hours')

const resolvedBy = async (id: number) =>
  (await database.one<{ by: string | null }>(sql`select resolved_by as by from payments where id = ${id}`)).by

afterEach(async () => {
  await noDeadline()
  // Holds left by a test must not affect the next test.
  await database.run(sql`update payments set due_at = null where state = 'held'`)
})

describe('without a deadline', () => {
  it('a pre-authorization stays held', async () => {
    const id = await held()
    await till.pass(366 * dayMs)
    assert.deepEqual(await statusOf(id), isHeld)
    assert.deepEqual(
      [await modificationLines(database, id), await eventLines(database, id)],
      [[], ['1 payment.pre_authorized']],
    )
  })

  it('a deadline set later applies only to new holds', async () => {
    const before = await held()
    await deadline(1)
    const after = await held()
    await till.pass(2 * hourMs)
    assert.deepEqual([await statusOf(before), await statusOf(after)], [isHeld, isReleased])
  })
})

describe('at the deadline', () => {
  it('a hold is released on time, and the merchant gets the event', async () => {
    assert.match(await deadline(48), /pre-auth-deadline-hours +48/)
    const id = await held()
    await till.pass(48 * hourMs - secondMs)
    assert.deepEqual(await statusOf(id), isHeld)
    await till.pass(secondMs)
    assert.deepEqual(await statusOf(id), isReleased)
    assert.deepEqual(await modificationLines(database, id), ['release done by void'])
    assert.deepEqual(await eventLines(database, id), ['1 payment.pre_authorized', '2 pre_auth.failed'])
    assert.equal(await resolvedBy(id), 'deadline')
    const url = '/v1/transaction/resolve-pre-auth'
    const answer = await backend.form(url, { transaction_id: String(id), status: 'true' })
    assert.deepEqual([answer.status, answer.json.error_code], [409, 941])
  })

  it('a hold is captured and credited if the merchant chose capture', async () => {
    await deadline(1, 'capture')
    const id = await held()
    await till.pass(hourMs)
    assert.deepEqual(await statusOf(id), isTaken)
    assert.deepEqual(await eventLines(database, id), ['1 payment.pre_authorized', '2 pre_auth.completed'])
    assert.equal((await postingLines(database, id)).length, 2)
  })

  it('a hold that the merchant has resolved does not change', async () => {
    await deadline(1)
    const id = await held()
    const url = '/v1/transaction/resolve-pre-auth'
    await backend.form(url, { transaction_id: String(id), status: 'true' })
    await till.pass(3 * hourMs)
    assert.deepEqual(await statusOf(id), isTaken)
    assert.deepEqual(await modificationLines(database, id), ['capture done by capture'])
    assert.match((await resolvedBy(id)) ?? '', /^key \d+$/)
  })

  it('an ordinary payment does not change', async () => {
    await deadline(1, 'capture')
    const id = await paid()
    await till.pass(3 * hourMs)
    assert.deepEqual([await statusOf(id), await modificationLines(database, id)], [isTaken, []])
  })
})

describe('the setting at the deadline counts', () => {
  it('with another resolution', async () => {
    await deadline(2, 'release')
    const id = await held()
    await change('--at-pre-auth-deadline', 'capture')
    await till.pass(2 * hourMs)
    assert.deepEqual(await statusOf(id), isTaken)
  })

  it('with a later deadline: the hold is not resolved before it', async () => {
    await deadline(1)
    const id = await held()
    await deadline(5)
    await till.pass(5 * hourMs - secondMs)
    assert.deepEqual(await statusOf(id), isHeld)
    await till.pass(secondMs)
    assert.deepEqual(await statusOf(id), isReleased)
  })

  it('with an earlier deadline: the hold is not resolved before its original deadline', async () => {
    await deadline(5)
    const id = await held()
    await deadline(1)
    await till.pass(5 * hourMs - secondMs)
    assert.deepEqual(await statusOf(id), isHeld)
    await till.pass(secondMs)
    assert.deepEqual(await statusOf(id), isReleased)
  })

  it('without a deadline: the hold stays until a deadline is set again', async () => {
    await deadline(1)
    const id = await held()
    assert.match(await noDeadline(), /pre-auth-deadline-hours +none/)
    await till.pass(10 * hourMs)
    assert.deepEqual(await statusOf(id), isHeld)
    await deadline(2)
    await till.pass(hourMs)
    assert.deepEqual(await statusOf(id), isReleased)
  })
})

describe('for a suspended merchant', () => {
  it('no hold is captured until the merchant is resumed', async () => {
    await deadline(1, 'capture')
    const id = await held()
    await setMerchantState(services, merchant.id, 'suspended')
    await till.pass(5 * hourMs)
    assert.deepEqual(await modificationLines(database, id), [])
    await setMerchantState(services, merchant.id, 'active')
    await till.pass(hourMs)
    assert.deepEqual(await statusOf(id), isTaken)
  })

  it('a hold is still released', async () => {
    await deadline(1)
    const id = await held()
    await setMerchantState(services, merchant.id, 'suspended')
    await till.pass(hourMs)
    await setMerchantState(services, merchant.id, 'active')
    assert.deepEqual(await statusOf(id), isReleased)
  })
})

it('the deadline counts from the time of the hold', () => {
  const endedAt = new Date('2026-11-15T09:30:00.123Z')
  assert.deepEqual(
    preAuthDeadlineOf({ endedAt }, { preAuthDeadlineHours: 8760 }),
    new Date('2027-11-15T09:30:00.123Z'),
  )
  assert.equal(preAuthDeadlineOf({ endedAt }, { preAuthDeadlineHours: null }), null)
  assert.equal(preAuthDeadlineOf({ endedAt: null }, { preAuthDeadlineHours: 1 }), null)
})

it('an invalid number of hours is refused', async () => {
  for (const hours of ['0', '-1', '8761', '1.5', 'x']) {
    await assert.rejects(change('--pre-auth-deadline-hours', hours), hours)
  }
})
