import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { networkHttpClient } from '../../kit/outbound/http-client.ts'
import { sql } from '../../kit/runtime/sql.ts'
import type { BoundaryGate } from '../../testing/crash/boundaries.ts'
import { gatedHttp, gatedSql, stopAt } from '../../testing/crash/boundaries.ts'
import { silentLog } from '../../testing/harness/database.ts'
import { newInstance } from '../../testing/harness/new-instance.ts'
import { inconsistencies } from '../../testing/invariants/consistency.ts'
import { eventLines, modificationLines, postingLines } from '../../testing/invariants/payment-rows.ts'
import { processDueRefunds } from '../../testing/till/process-due.ts'
import { refundActions } from '../../testing/till/refunds.ts'
import { testTill } from '../../testing/till/till.ts'
import type { Connector } from '../connectors/index.ts'
import { connectors } from '../connectors/index.ts'
import { openDatabase } from '../database/pool.ts'
import { reviewDueRefunds } from './index.ts'

const till = await testTill()
const { services, clock } = till
const { paid, asked, refunded, refundsOf, statusOf } = refundActions(till)

describe('a refund that two instances process', () => {
  it('is executed once, even if one instance resumes long after the other has ended it', async () => {
    const id = await paid()
    await asked(id, 4_000)
    clock.advance(2_000)
    await reviewDueRefunds(services)
    const stopped = Promise.withResolvers<void>()
    const free = Promise.withResolvers<void>()
    let isAnswered = false
    /** Stops the instance at its first read after the bank's response. */
    const gate: BoundaryGate = async (at) => {
      isAnswered ||= at.startsWith('after call')
      if (!isAnswered || at !== 'before look') return
      stopped.resolve()
      await free.promise
    }
    const { sql: pool, close } = openDatabase({ url: till.database.url }, 5, silentLog)
    after(close)
    const slow = newInstance(services, gatedSql(pool, gate), gatedHttp(networkHttpClient(clock), gate))
    const late = processDueRefunds(slow)
    await stopped.promise
    // The lease has expired by now.
    await till.pass(10 * 60_000)
    assert.equal((await refundsOf(id))[0]?.state, 'executed')
    free.resolve()
    assert.equal(await late, 1)
    assert.deepEqual(await statusOf(id), [5, 2])
    assert.deepEqual(await modificationLines(services.sql, id), ['refund done by refund'])
    assert.equal((await postingLines(services.sql, id)).length, 4)
    assert.equal((await eventLines(services.sql, id)).length, 3)
    assert.ok(!till.lines.some((line) => line.includes('processing a due item failed')))
  })

  it('does not fail by a refusal that is older than the last call to the bank', async () => {
    const id = await paid()
    await asked(id, 4_000)
    clock.advance(2_000)
    await reviewDueRefunds(services)
    const refused = stopAt('before finish')
    const { sql: pool, close } = openDatabase({ url: till.database.url }, 5, silentLog)
    after(close)
    const slow = { ...newInstance(services, gatedSql(pool, refused.gate)), connectors: refusing }
    const late = processDueRefunds(slow)
    await refused.reached
    // The lease has expired by now. The bank now accepts the refund; the first instance still holds the
    // refusal.
    clock.advance(10 * 60_000)
    const given = stopAt('after call refund')
    const next = processDueRefunds(
      newInstance(services, pool, gatedHttp(networkHttpClient(clock), given.gate)),
    )
    await given.reached
    refused.goOn()
    await late
    assert.equal((await refundsOf(id))[0]?.state, 'approved')
    given.goOn()
    await next
    assert.equal((await refundsOf(id))[0]?.state, 'executed')
    assert.deepEqual(await modificationLines(services.sql, id), ['refund done by refund'])
    assert.deepEqual(await inconsistencies(till), [])
  })
})

it('the rest of a partly refunded payment is refunded, not voided: a void would return the first part again', async () => {
  const id = await paid()
  await refunded(id, 4_000)
  await refunded(id, 6_000)
  assert.deepEqual(await statusOf(id), [4, 2])
  const questions = await services.sql.many<{ operation: string }>(
    sql`select operation from bank_calls where payment_id = ${id} and modification_id is not null order by asked_at, id`,
  )
  assert.deepEqual(
    questions.map(({ operation }) => operation),
    ['refund', 'refund'],
  )
})

/** Banks that refuse every refund with certainty. */
const refusing: readonly Connector[] = connectors.map((connector) => ({
  ...connector,
  open: (tools, access) => {
    const bank = connector.open(tools, access)
    return {
      authentication: bank.authentication,
      authorize: (charge) => bank.authorize(charge),
      inquire: (question) => bank.inquire(question),
      refund: async () => ({
        outcome: 'declined',
        reason: 'not_permitted_to_terminal',
        code: '58',
        message: null,
      }),
    }
  },
}))
