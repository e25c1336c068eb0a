import type { Config } from '../config.ts'
import { reserveIds } from '../database/store.ts'
import { ClockWatch } from '../instances/index.ts'
import { jobs } from '../jobs.ts'
import { Ids } from '../kit/ids.ts'
import { doRound } from '../kit/job.ts'
import { openLog } from '../kit/log.ts'
import type { Metrics } from '../kit/metrics.ts'
import type { Sql } from '../kit/sql.ts'
import { SteadyClock } from '../kit/steady-clock.ts'
import type { Services } from '../services.ts'
import type { TestClock } from './clock.ts'
import { MachineClock } from './clock.ts'
import { copyOf } from './copy.ts'
import { sqlWith } from './sql.ts'

/** An instance with a clock that can be wrong, on a database with another. */
export interface TestInstance {
  services: Services
  machine: MachineClock
  clock: SteadyClock
  watch: ClockWatch
  /** Lines of its log. */
  lines: string[]
  metrics: Metrics
}

/** A database whose clock the test has in hand. Each answer about it may take its time, by the clock of the test. */
export class TimedDatabase {
  readonly machine: MachineClock
  tookMs = 0
  readonly sql: Sql

  constructor(inner: Sql, time: TestClock) {
    this.machine = new MachineClock(time)
    this.sql = sqlWith(inner, {
      one: async (statement) => {
        if (!statement.text.includes('clock_timestamp')) return inner.one(statement)
        time.advance(this.tookMs / 2)
        const now = this.machine.now()
        time.advance(this.tookMs / 2)
        return { now } as never
      },
    })
  }
}

export function testInstance(database: TimedDatabase, time: TestClock, config: Config): TestInstance {
  const machine = new MachineClock(time)
  const clock = new SteadyClock(machine, config.clockToleranceSeconds * 1000)
  const lines: string[] = []
  const { log } = openLog({ level: 'debug', format: 'json', stream: { write: (line) => lines.push(line) } })
  const services = copyOf({ config, clock, log }, database.sql)
  const { metrics } = services
  const own = { own: database.sql, ids: new Ids(reserveIds(database.sql)), log, config, metrics }
  return { services, machine, clock, watch: new ClockWatch(own, clock), lines, metrics }
}

/** Has every job do a round, and waits for what the rounds have left running. */
export async function roundsOf(services: Services): Promise<void> {
  for (const job of jobs) {
    await doRound(job, services, new AbortController().signal)
    await job.end?.(services)
  }
}
