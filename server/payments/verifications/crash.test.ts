import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from '../../../kit/runtime/sql.ts'
import {
  assertBoundariesCovered,
  assertConsistent,
  boundariesAround,
  countKills,
  jobPerBoundary,
  killAtEveryBoundary,
} from '../../../testing/crash/kills.ts'
import type { KilledWorker } from '../../../testing/crash/run-payment-worker.ts'
import { seedCharges } from '../../../testing/seed/charges.ts'
import { posByConnector } from '../../../testing/seed/modifications.ts'
import type { Till } from '../../../testing/till/till.ts'
import { testTill } from '../../../testing/till/till.ts'

const minuteMs = 60_000
/** More jobs than boundaries: the last jobs survive, which proves that every boundary was reached. */
const enough = 30

async function approvalsOf({ services }: Till, paymentIds: readonly number[]): Promise<number[]> {
  const rows = await services.sql.many<{ id: number }>(
    sql`select id from verifications where payment_id = any(${paymentIds}::bigint[]) order by payment_id`,
  )
  return rows.map(({ id }) => id)
}

it('a kill at any boundary of a verification loses nothing, and each difference is found once', async (t) => {
  const till = await testTill({ withBankPage: true, env: { VERIFICATIONS_PER_SECOND: '100' } })
  const posId = (await posByConnector(till)).get('sandbox-nestpay') ?? assert.fail()
  const killed: KilledWorker[] = []
  for (const preAuth of [false, true])
    for (const bankAmountMinor of [10_000, 10_100, 9_900]) {
      const ids = await seedCharges(till, { posId, preAuth, fault: null, count: enough, bankAmountMinor })
      till.clock.advance(2 * minuteMs)
      const jobs = jobPerBoundary({ kind: 'verify' }, await approvalsOf(till, ids))
      killed.push(await killAtEveryBoundary(t, till, [jobs]))
    }
  assertBoundariesCovered(killed, boundariesAround('change', 'begin', 'call api', 'finish'))
  t.diagnostic(`${countKills(killed)} kills`)
  await assertConsistent(till, killed)
  const states = await till.services.sql.many<{ kind: string; state: string; count: number; tries: number }>(
    sql`select kind, state, count(*)::int as count, max(tries)::int as tries from verifications
      group by kind, state order by kind, state`,
  )
  assert.deepEqual(
    states.map(({ kind, state, count }) => `${count} ${kind} ${state}`),
    [
      `${2 * enough} charge differs`,
      `${enough} charge verified`,
      `${2 * enough} hold differs`,
      `${enough} hold verified`,
    ],
  )
  // An approval whose worker died after the inquiry is inquired about again, and none a third time.
  const [most] = await till.services.sql.many<{ calls: number }>(
    sql`select count(*)::int as calls from bank_calls where operation = 'verify' group by attempt_id order by 1 desc`,
  )
  assert.equal(most?.calls, 2)
})
