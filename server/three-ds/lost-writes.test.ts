import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from '../../kit/runtime/sql.ts'
import { inconsistencies } from '../../testing/invariants/consistency.ts'
import { testCheckout } from '../../testing/till/checkout.ts'
import { processDueAuthentications } from './process-due-authentications.ts'
import { eraseProofAndDueAt } from './store.ts'

const checkout = await testCheckout({ connector: 'sandbox' })
const { services, clock } = checkout
const frictionless = '4000000000002701'

/** Undoes the begin of an attempt, as a crash of the database server does with a write that did not wait for the disk. */
async function loseAttemptOf(id: number): Promise<void> {
  for (const table of [sql`authentications`, sql`sealed_cards`])
    await services.sql.run(sql`delete from ${table} where merchant_id = ${checkout.merchant.id}
      and attempt_id in (select id from payment_attempts where payment_id = ${id})`)
  await services.sql.run(sql`delete from payment_attempts where payment_id = ${id}`)
  await services.sql.run(sql`update payments set state = 'open', attempt_id = null, attempt_count = 0,
    customer_id = null, customer_by_page = false, version = version - 1 where id = ${id}`)
}

it('if the database loses an attempt that it has just begun, the payer enters the card again and pays once', async () => {
  const { id, path } = await checkout.open()
  const browser = checkout.browser()
  assert.equal((await browser.submit(path, frictionless)).next, 'bank_frame')
  await loseAttemptOf(id)
  await browser.prove(path, { reaction: 'right code' })
  await checkout.settle()
  const { view, takesCard } = await checkout.pageState(path)
  assert.deepEqual([view, takesCard], ['form', true])
  assert.equal((await browser.submit(path, frictionless)).next, 'bank_frame')
  await browser.prove(path, { reaction: 'right code' })
  await checkout.settle()
  assert.equal((await checkout.result(id)).payment_status_text, 'success')
  const { calls } = await services.sql.one<{
    calls: number
  }>(sql`select count(*)::int as calls from bank_calls b
    join payment_attempts a on a.merchant_id = b.merchant_id and a.id = b.attempt_id where a.payment_id = ${id}`)
  assert.equal(calls, 1)
  assert.deepEqual(await inconsistencies(checkout), [])
})

it('if the database loses a proof, the authentication ends by its due time and the payer pays once', async () => {
  const { id, path } = await checkout.open()
  const browser = checkout.browser()
  await browser.submit(path, frictionless)
  const { attemptId } = await services.sql.one<{ attemptId: number }>(sql`update authentications
    set state = 'asking', due_at = ${new Date(clock.now().getTime() + 30_000)}
    where payment_id = ${id} returning attempt_id as "attemptId"`)
  // The process still knows the proof, and reports what it did with it.
  await eraseProofAndDueAt(services.sql, { merchantId: checkout.merchant.id, attemptId })
  clock.advance(30_000)
  assert.equal(await processDueAuthentications(services), 1)
  assert.equal((await browser.submit(path, frictionless)).next, 'bank_frame')
  await browser.prove(path, { reaction: 'right code' })
  await checkout.settle()
  assert.equal((await checkout.result(id)).payment_status_text, 'success')
  assert.deepEqual(await inconsistencies(checkout), [])
})
