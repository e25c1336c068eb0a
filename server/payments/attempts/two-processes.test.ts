import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { it } from 'node:test'
import { systemClock } from '../../../kit/runtime/clock.ts'
import type { Sql } from '../../../kit/runtime/sql.ts'
import { sql } from '../../../kit/runtime/sql.ts'
import { cards } from '../../../sandbox/index.ts'
import { attemptIdOf } from '../../../testing/harness/bank.ts'
import { findCards } from '../../../testing/harness/card-search.ts'
import { TestClock } from '../../../testing/harness/clock.ts'
import { makeHome } from '../../../testing/harness/embedded-home.ts'
import type { ServiceProcess } from '../../../testing/harness/process.ts'
import { freePorts, startProcess } from '../../../testing/harness/process.ts'
import { inconsistencies } from '../../../testing/invariants/consistency.ts'
import type { Till } from '../../../testing/till/till.ts'
import { testTill } from '../../../testing/till/till.ts'
import { processBankWork } from '../bank-calls/bank-work.ts'
import { attemptWork } from './attempt-work.ts'

const hourMs = 60 * 60 * 1000
const expiries = 40
const workers = ['worker-1', 'worker-2'] as const

/** An old charge made with a sandbox card of this fault. */
interface Kind {
  fault: string
  /** True if it is to be reversed, false if it is to be queried. */
  isReversing: boolean
  /** All calls to the bank about it, and all operations of the bank. */
  calls: string
  bankOperations: string
}

const kinds: readonly Kind[] = [
  { fault: 'lost', isReversing: false, calls: 'authorize inquiry', bankOperations: 'authorized' },
  { fault: 'lost-undone', isReversing: false, calls: 'authorize inquiry void inquiry', bankOperations: '' },
  {
    fault: 'void-lost',
    isReversing: true,
    calls: 'authorize inquiry void inquiry',
    bankOperations: 'authorized voided',
  },
  {
    fault: 'void-settled',
    isReversing: true,
    calls: 'authorize inquiry void refund',
    bankOperations: 'authorized refunded',
  },
]

/** Leaves payments that are due for years by the clock of the machine. */
async function leaveWork(till: Till): Promise<Map<string, Kind>> {
  await Promise.all(Array.from({ length: expiries }, () => till.start()))
  const left = async (kind: Kind): Promise<[string, Kind]> => {
    const pan = cards.find(({ fault }) => fault?.name === kind.fault)?.number ?? ''
    const { context } = await till.pay(await till.start(), pan)
    return [String(context?.attempt.id), kind]
  }
  const kindOf = new Map(await Promise.all([...kinds, ...kinds, ...kinds].map(left)))
  till.clock.advance(hourMs)
  for (const [id, { isReversing }] of kindOf)
    if (isReversing)
      await processBankWork(till.services, attemptWork, { merchantId: till.merchant.id, id: Number(id) })
  till.clock.advance(hourMs)
  return kindOf
}

async function startWorker(t: TestContext, till: Till, name: string): Promise<ServiceProcess> {
  // A process may wait for a lock until the other one has started.
  const timeouts = ['lock_timeout', 'statement_timeout', 'query_timeout'].map((limit) => `${limit}=120000`)
  return startProcess(t, ['./vezne', 'work'], {
    ...(await freePorts()),
    DATABASE_URL: `${till.database.url}?${[`application_name=${name}`, ...timeouts].join('&')}`,
    DATABASE_POOL_SIZE: '20',
    VEZNE_SECRET: till.services.config.secret,
    VEZNE_HOME: join(makeHome(t), 'none'),
    SANDBOX_URL: till.bank.address,
    DRAIN_SECONDS: '0',
    LOG_LEVEL: 'debug',
  })
}

/** True if both processes have decided on due work and wait to write it. */
async function areBothAtIt(database: Sql): Promise<boolean> {
  await database.many(sql`select pg_stat_clear_snapshot()`)
  const waiting = await database.many(sql`select distinct application_name, relation
    from pg_locks join pg_stat_activity using (pid) where not granted
      and relation in ('payments'::regclass, 'payment_attempts'::regclass)`)
  return waiting.length === workers.length * 2
}

/** Waits for the condition; throws if one of the processes ends by itself. */
async function until(isSo: () => Promise<boolean>, processes: ServiceProcess[]): Promise<void> {
  let death: string | undefined
  for (const { ended, output } of processes) {
    void ended.then((code) => {
      death = `a worker ended with ${code}:\n${output()}`
    })
  }
  while (!(await isSo())) {
    assert.equal(death, undefined)
    await systemClock.sleep(20)
  }
}

/** Starts both processes and blocks them until both are about to do the same work. */
async function startTogether(t: TestContext, till: Till): Promise<ServiceProcess[]> {
  return till.services.sql.transaction(async (locking) => {
    await locking.run(sql`lock table payments, payment_attempts in exclusive mode`)
    const started = await Promise.all(workers.map((name) => startWorker(t, till, name)))
    await until(() => areBothAtIt(locking), started)
    return started
  })
}

async function isAllDone(database: Sql): Promise<boolean> {
  const left = await database.many(sql`select id from payments where state = 'open' or state like '%ing'
    union all select id from payment_attempts where state like '%ing'`)
  return left.length === 0
}

/** Number of payments that a process has expired, according to its log. */
function expiredBy({ output }: ServiceProcess): number {
  const jobLines = output()
    .split('\n')
    .filter((line) => line.includes('"job":"process payment deadlines"'))
  return jobLines.reduce((sum, line) => sum + JSON.parse(line).count, 0)
}

/** Bank calls per attempt, in order, and the number of answered ones. */
function operationsByAttempt(
  database: Sql,
): Promise<{ id: string; operations: string; answerCount: number }[]> {
  return database.many(sql`select attempt_id::text as id, string_agg(operation, ' ' order by asked_at, id) as operations,
    count(outcome)::int as "answerCount" from bank_calls group by attempt_id`)
}

it('two processes do all due work once, and both stop on a signal', async (t) => {
  const till = await testTill({ clock: new TestClock('2020-02-03T06:30:00Z') })
  const { services, bank } = till
  const kindOf = await leaveWork(till)
  const processes = await startTogether(t, till)
  await until(() => isAllDone(services.sql), processes)
  assert.deepEqual(await Promise.all(processes.map((each) => each.end('SIGTERM'))), [0, 0])

  const lines = processes.flatMap(({ output }) => output().split('\n'))
  assert.deepEqual(await findCards(services.sql, lines), [])
  assert.deepEqual(
    lines.filter((line) => line.includes('"level":"error"')),
    [],
    'nobody came upon what the other had done as upon a fault',
  )
  const [one = 0, other = 0] = processes.map(expiredBy)
  assert.equal(one + other, expiries)
  const operations = await operationsByAttempt(services.sql)
  assert.equal(operations.length, kindOf.size)
  for (const { id, ...calls } of operations) {
    const expected = kindOf.get(id)?.calls ?? ''
    assert.deepEqual(calls, { operations: expected, answerCount: expected.split(' ').length })
  }
  const bankOperations = new Map(
    (await bank.book()).map((line) => [attemptIdOf(line), line.operations.join(' ')]),
  )
  for (const [id, kind] of kindOf) assert.equal(bankOperations.get(id) ?? '', kind.bankOperations)
  assert.deepEqual(await inconsistencies(till), [])
})
