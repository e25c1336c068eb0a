import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { sql } from '../../../kit/runtime/sql.ts'
import { silentLog } from '../../../testing/harness/database.ts'
import { newInstance } from '../../../testing/harness/new-instance.ts'
import { inconsistencies } from '../../../testing/invariants/consistency.ts'
import { seedCharges } from '../../../testing/seed/charges.ts'
import { posByConnector } from '../../../testing/seed/modifications.ts'
import { processDueVerifications } from '../../../testing/till/process-due.ts'
import type { Till } from '../../../testing/till/till.ts'
import { testTill } from '../../../testing/till/till.ts'
import { openDatabase } from '../../database/pool.ts'
import type { Services } from '../../services.ts'

function instanceOn({ services, database }: Till): Services {
  const { sql: pool, close } = openDatabase({ url: database.url }, 5, silentLog)
  after(close)
  return newInstance(services, pool)
}

it('two instances inquire once per approval, within the limit of one, and find each difference once', async () => {
  const perSecond = 3
  const till = await testTill({ withBankPage: true, env: { VERIFICATIONS_PER_SECOND: String(perSecond) } })
  const posId = (await posByConnector(till)).get('sandbox-nestpay') ?? assert.fail()
  const seed = { posId, preAuth: false, fault: null, count: 30 }
  await seedCharges(till, { ...seed, bankAmountMinor: 10_000 })
  await seedCharges(till, { ...seed, bankAmountMinor: 10_100 })
  const instances = [instanceOn(till), instanceOn(till)]
  till.clock.advance(60_000)
  for (let second = 0; second < 60 / perSecond; second++) {
    // In each second both instances run at the same time, and again after these inquiries are answered.
    for (let round = 0; round < 2; round++)
      await Promise.all([...instances, ...instances].map((instance) => processDueVerifications(instance)))
    till.clock.advance(1_000)
  }
  const { sql: database } = till.services
  const rate = await database.many<{ count: number }>(
    sql`select count(*)::int as count from bank_calls where operation = 'verify' group by date_trunc('second', asked_at)`,
  )
  assert.deepEqual(
    rate.map(({ count }) => count),
    Array.from({ length: 60 / perSecond }, () => perSecond),
  )
  const events = await database.many<{ kind: string; count: number }>(
    sql`select kind, count(*)::int as count from events group by kind order by kind`,
  )
  assert.deepEqual(events, [
    { kind: 'payment.amount_differs', count: 30 },
    { kind: 'payment.succeeded', count: 60 },
  ])
  assert.deepEqual(await inconsistencies(till), [])
})
