import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from '../../../kit/runtime/sql.ts'
import { processDueAttempts } from '../../../testing/till/process-due.ts'
import { testTill } from '../../../testing/till/till.ts'

it('a charge is posted once per payment, even if the state of a paid payment is reset by hand', async () => {
  const till = await testTill()
  const { sql: database } = till.services
  const paymentId = await till.start()
  await till.pay(paymentId, '5400360000000003')
  const transfers = () => database.many(sql`select * from ledger_transfers order by id`)
  const before = await transfers()
  assert.ok(before.length > 0)
  await database.run(sql`update payments set state = 'authorizing' where id = ${paymentId}`)
  await database.run(sql`update payment_attempts set state = 'authorizing', due_at = ${till.clock.now()}
    where payment_id = ${paymentId}`)
  assert.equal(await processDueAttempts(till.services), 0)
  assert.deepEqual(await transfers(), before)
  const { count } = await database.one<{ count: number }>(sql`select count(*)::int as count from events`)
  assert.equal(count, 1)
  assert.match(till.lines.join('\n'), /ledger_transfers_one_per_cause/)
})
