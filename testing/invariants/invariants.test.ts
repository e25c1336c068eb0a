import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from '../../kit/runtime/sql.ts'
import type { ChargeSummary } from '../../sandbox/index.ts'
import { approvedAttemptSeed, integrityFixture } from '../faults/integrity-faults.ts'
import { assertInvariants } from './invariants.ts'

const { services, run, seed } = await integrityFixture()

/** The bank's line for the only attempt of a payment, with the whole amount taken. */
async function lineOf(paymentId: number): Promise<ChargeSummary> {
  const { reference } = await services.sql.one<{ reference: string }>(
    sql`select id::text as reference from payment_attempts where payment_id = ${paymentId}`,
  )
  const amounts = { taken: approvedAttemptSeed.chargedMinor, held: 0, refunded: 0 }
  return { terminal: '1', reference, kind: 'sale', code: '00', ...amounts, operations: ['authorized'] }
}

async function paidPayment() {
  const { id } = await seed({ state: 'paid', attempts: [approvedAttemptSeed] })
  return { id, line: await lineOf(id) }
}

it('valid payments of one merchant, and no payments, keep the invariants', async () => {
  const [first, second] = [await paidPayment(), await paidPayment()]
  await assertInvariants(services.sql, [first.line, second.line], [first.id, second.id])
  await assertInvariants(services.sql, [], [])
})

it('a violation of an integrity check fails, and names the payment', async () => {
  const { id, line } = await paidPayment()
  await run(sql`update payments set event_count = 7 where id = ${id}`)
  const sentence = `payment ${id} has events that are not numbered from 1 to its count: 1 events, counted 7`
  await assert.rejects(assertInvariants(services.sql, [line], [id]), (error: Error) =>
    error.message.includes(sentence),
  )
})

it('a wrong posting fails', async () => {
  const { id, line } = await paidPayment()
  await run(sql`update ledger_transfers set amount = amount + 1 where payment_id = ${id}`)
  await assert.rejects(assertInvariants(services.sql, [line], [id]), /sums of payment/)
})

it('a wrong split between two accounts fails', async () => {
  const { id, line } = await paidPayment()
  await run(sql`update ledger_transfers set amount = amount + case 'commission' when credit then 1 else -1 end
    where payment_id = ${id}`)
  await assert.rejects(assertInvariants(services.sql, [line], [id]), /sums of payment/)
})

it('a payment that does not exist fails', async () => {
  const { id, line } = await paidPayment()
  await assert.rejects(assertInvariants(services.sql, [line], [id, id + 1]), /each payment exists/)
})

it('an amount at the bank that the attempt does not explain fails', async () => {
  const { id, line } = await paidPayment()
  await assert.rejects(assertInvariants(services.sql, [{ ...line, held: 1 }], [id]), /the bank has/)
  await assert.rejects(assertInvariants(services.sql, [], [id]), /the bank has/)
})

it('money at the bank without an owner fails', async () => {
  const { id } = await seed({ state: 'failed', attempts: [{ state: 'declined' }] })
  await assert.rejects(
    assertInvariants(services.sql, [await lineOf(id)], [id]),
    /the bank has what is declined/,
  )
})
