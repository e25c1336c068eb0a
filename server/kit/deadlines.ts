import type { Clock } from './clock.ts'
import type { Eventually } from './eventually.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import { Refused, unavailable } from './refusals.ts'
import { RequestSql } from './request-sql.ts'
import type { Sql } from './sql.ts'
import { PastDeadline } from './sql.ts'

const lookEveryMs = 1_000
const retryAfterS = 2

/** Log fields of a late request. */
interface Asked {
  id: string
  method: string
  pattern: string | undefined
  merchantId: number | undefined
}

interface UnderWay {
  asked: Asked
  dueAtMs: number
  cut(): void
}

/**
 * Deadlines of the requests of a web app, from the moment at which their handlers begin: credentials and bodies have limits of
 * their own. Guarantee: a request without an answer by then gets 503, its open transaction is undone and its connection closed,
 * and what it still asks of the database is refused. Statements that it finished outside of a transaction stay. No request has
 * a timer.
 */
export class Deadlines {
  readonly #app: string
  readonly #clock: Clock
  readonly #log: Log
  readonly #metrics: Metrics
  readonly #limitMs: number
  /** In the order of their deadlines, for all have the same time. */
  readonly #underWay = new Set<UnderWay>()

  constructor(
    app: string,
    services: { clock: Clock; log: Log; metrics: Metrics; config: { requestDeadlineSeconds: number } },
  ) {
    this.#app = app
    this.#clock = services.clock
    this.#log = services.log
    this.#metrics = services.metrics
    this.#limitMs = services.config.requestDeadlineSeconds * 1000
  }

  /** Does the work of a request with a database of its own, which stops at its deadline. Searches write nothing and end sooner. */
  run<Needs extends { sql: Sql }, Result>(
    asked: Asked,
    services: Needs,
    work: (services: Needs) => Eventually<Result>,
  ): Eventually<Result> {
    const late = new AbortController()
    const { signal } = late
    const outcome = work({ ...services, sql: new RequestSql(services.sql, signal) })
    if (!(outcome instanceof Promise)) return outcome
    return new Promise((resolve, reject) => {
      const each: UnderWay = {
        asked,
        dueAtMs: this.#clock.monotonicMs() + this.#limitMs,
        cut: () => {
          this.#underWay.delete(each)
          late.abort(new PastDeadline())
          reject(new Refused(unavailable, { retryAfterS }))
        },
      }
      this.#underWay.add(each)
      const done = () => this.#underWay.delete(each)
      outcome.then(done, done)
      // Answers and errors of a late one reach nobody: the promise is settled.
      outcome.then(resolve, reject)
    })
  }

  /** Cuts the requests that are late. */
  look(): void {
    const nowMs = this.#clock.monotonicMs()
    for (const each of this.#underWay) {
      if (each.dueAtMs > nowMs) return
      const { id: request_id, merchantId: merchant_id, method, pattern: route = 'none' } = each.asked
      const seconds = this.#limitMs / 1000
      this.#log.error({ request_id, merchant_id, method, route, seconds }, 'a request passed its deadline')
      this.#metrics
        .counts('vezne_late_requests_total', 'Requests that passed their deadline.', ['app', 'route'])
        .inc({ app: this.#app, route })
      each.cut()
    }
  }

  /** Looks every second until the signal ends it. */
  async watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.look()
      await this.#clock.sleep(lookEveryMs, signal).catch(() => undefined)
    }
  }

  /** Cuts all that are under way: the process ends, and nobody waits for them any longer. */
  end(): void {
    for (const { cut } of this.#underWay) cut()
  }
}
