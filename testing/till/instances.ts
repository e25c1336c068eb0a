import { runJobOnce } from '../../kit/runtime/job.ts'
import { openLog } from '../../kit/runtime/log.ts'
import type { Metrics } from '../../kit/runtime/metrics.ts'
import { NumericIdAllocator } from '../../kit/runtime/numeric-id-allocator.ts'
import { sql } from '../../kit/runtime/sql.ts'
import { VerifiedClock } from '../../kit/runtime/verified-clock.ts'
import { cards } from '../../sandbox/index.ts'
import type { Config } from '../../server/config.ts'
import type { BatchingSql } from '../../server/database/batching-sql.ts'
import { reserveIds } from '../../server/database/store.ts'
import { ClockWatch } from '../../server/instances/index.ts'
import { dueJobs, jobs } from '../../server/jobs.ts'
import type { Services } from '../../server/services.ts'
import type { TestClock } from '../harness/clock.ts'
import { SkewedClock } from '../harness/clock.ts'
import { newInstance } from '../harness/new-instance.ts'
import { sqlWith } from '../harness/sql.ts'
import type { Till } from './till.ts'

/** An instance whose clock can differ from that of its database. */
export interface TestInstance {
  services: Services
  machine: SkewedClock
  clock: VerifiedClock
  watch: ClockWatch
  /** Lines of its log. */
  lines: string[]
  metrics: Metrics
}

/** A database whose clock the test controls. A query of its time takes `tookMs` on the test's clock. */
export class TimedDatabase {
  readonly machine: SkewedClock
  tookMs = 0
  readonly sql: BatchingSql

  constructor(inner: BatchingSql, time: TestClock) {
    this.machine = new SkewedClock(time)
    this.sql = sqlWith(inner, {
      one: async (query) => {
        if (!query.text.includes('clock_timestamp')) return inner.one(query)
        time.advance(this.tookMs / 2)
        const now = this.machine.now()
        time.advance(this.tookMs / 2)
        return { now } as never
      },
    })
  }
}

export function testInstance(database: TimedDatabase, time: TestClock, config: Config): TestInstance {
  const machine = new SkewedClock(time)
  const clock = new VerifiedClock(machine, config.clockToleranceSeconds * 1000)
  const lines: string[] = []
  const { log } = openLog({ level: 'debug', format: 'json', stream: { write: (line) => lines.push(line) } })
  const services = newInstance({ config, clock, log }, database.sql)
  const { metrics } = services
  const own = {
    own: database.sql,
    ids: new NumericIdAllocator(reserveIds(database.sql)),
    log,
    config,
    metrics,
  }
  return { services, machine, clock, watch: new ClockWatch(own, clock), lines, metrics }
}

/** Runs every job once, and waits for its background work. */
export async function runJobsOnce(services: Services): Promise<void> {
  for (const job of [...jobs, ...dueJobs]) {
    await runJobOnce(job, services, new AbortController().signal)
    await services.tasks.drain()
  }
}

/** Cards with an unknown outcome until an inquiry. None of them is reversed within an hour. */
export const unknownOutcomeFaults = ['lost', 'lost-undone', 'late', 'garbled', 'failure', 'silent']

/** Leaves charges with an unknown outcome, and a payment that waits for its payer. */
export async function leaveUnknownCharges(till: Till): Promise<void> {
  for (const name of unknownOutcomeFaults) {
    const pan = cards.find(({ fault }) => fault?.name === name)?.number ?? ''
    await till.pay(await till.start(), pan)
  }
  await till.start()
}

/**
 * Rows that only an instance with a wrong clock can have written in the first hour: too early, or in the
 * future.
 */
export async function rowsFromWrongClock(till: Till): Promise<string[]> {
  const { services, clock } = till
  const soon = new Date(clock.now().getTime() + 20_000)
  const longest = new Date(soon.getTime() + 60 * 60_000)
  const rows = await services.sql.many<{ what: string }>(sql`
    select 'event ' || kind || ' is of ' || created_at as what from events where created_at > ${soon}
    union all select 'attempt ' || id || ' is ' || state || ', ended ' || ended_at from payment_attempts
      where state in ('reversing', 'reversed') or ended_at > ${soon}
    union all select 'attempt ' || id || ' is due ' || due_at from payment_attempts where due_at > ${longest}
    union all select 'bank call ' || operation || ' is of ' || asked_at from bank_calls where asked_at > ${soon}
    union all select 'payment ' || id || ' is expired' from payments
      where state = 'expired' and expires_at > ${soon}
    union all select 'delivery ' || id || ' is due ' || due_at from webhook_deliveries where due_at > ${longest}`)
  return rows.map(({ what }) => what)
}
