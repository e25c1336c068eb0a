import { Refused, serviceUnavailable } from '../../kit/input/refusals.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import { repeat } from '../../kit/runtime/clock.ts'
import type { Log } from '../../kit/runtime/log.ts'
import type { MaybePromise } from '../../kit/runtime/maybe-promise.ts'
import type { Metrics } from '../../kit/runtime/metrics.ts'
import { RequestDeadlineExceeded } from '../../kit/runtime/sql.ts'
import type { BatchingSql } from './batching-sql.ts'
import { RequestSql } from './request-sql.ts'

const lookEveryMs = 1_000
const retryAfterS = 2

interface RequestDetails {
  id: string
  method: string
  pattern: string | undefined
  merchantId: number | undefined
}

interface PendingRequest {
  request: RequestDetails
  dueAtMs: number
  cancel(): void
}

interface Needs {
  clock: Clock
  log: Log
  metrics: Metrics
  config: { requestDeadlineSeconds: number }
}

/**
 * Deadlines of a web app's requests, counted from the start of their handlers: credentials and bodies have
 * their own limits. Guarantee: a request without a response by then gets 503, its open transaction is rolled
 * back, its connection is closed, and further queries are refused. Queries that it completed outside a
 * transaction stay. Requests have no timers of their own.
 */
export class RequestDeadlines {
  readonly #app: string
  readonly #services: Needs
  /** In order of deadline, because all have the same time limit. */
  readonly #pending = new Set<PendingRequest>()

  constructor(app: string, services: Needs) {
    this.#app = app
    this.#services = services
  }

  /** Runs a request with a database that stops at the deadline. Searches write nothing and end sooner. */
  run<Services extends { sql: BatchingSql }, Result>(
    request: RequestDetails,
    services: Services,
    work: (services: Services) => MaybePromise<Result>,
  ): MaybePromise<Result> {
    const { clock, config } = this.#services
    const sql = new RequestSql(services.sql)
    const outcome = work({ ...services, sql })
    if (!(outcome instanceof Promise)) return outcome
    return new Promise((resolve, reject) => {
      const each: PendingRequest = {
        request,
        dueAtMs: clock.monotonicMs() + config.requestDeadlineSeconds * 1000,
        cancel: () => {
          this.#pending.delete(each)
          sql.end(new RequestDeadlineExceeded())
          reject(new Refused(serviceUnavailable, { retryAfterS }))
        },
      }
      this.#pending.add(each)
      const done = () => this.#pending.delete(each)
      outcome.then(done, done)
      // Results and errors after the deadline are dropped: the promise is settled.
      outcome.then(resolve, reject)
    })
  }

  cancelLate(): void {
    const { clock, config, log, metrics } = this.#services
    const nowMs = clock.monotonicMs()
    for (const each of this.#pending) {
      if (each.dueAtMs > nowMs) return
      const { id: request_id, merchantId: merchant_id, method, pattern: route = 'none' } = each.request
      const fields = { request_id, merchant_id, method, route, seconds: config.requestDeadlineSeconds }
      log.error(fields, 'a request passed its deadline; answered 503')
      metrics
        .counter('vezne_late_requests_total', 'Requests that passed their deadline.', ['app', 'route'])
        .inc({ app: this.#app, route })
      each.cancel()
    }
  }

  watch(signal: AbortSignal): Promise<void> {
    return repeat(this.#services.clock, lookEveryMs, signal, () => this.cancelLate())
  }

  /** Cancels all requests under way: the process ends. */
  cancelAll(): void {
    for (const each of this.#pending) each.cancel()
  }
}
