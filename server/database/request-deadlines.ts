import { Refused, serviceUnavailable } from '../../kit/input/refusals.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { Log } from '../../kit/runtime/log.ts'
import type { MaybePromise } from '../../kit/runtime/maybe-promise.ts'
import type { Metrics } from '../../kit/runtime/metrics.ts'
import { RequestDeadlineExceeded } from '../../kit/runtime/sql.ts'
import type { BatchingSql } from './batching-sql.ts'
import { RequestSql } from './request-sql.ts'

const lookEveryMs = 1_000
const retryAfterS = 2

/** Log fields of a late request. */
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

/**
 * Deadlines of a web app's requests, counted from the start of their handlers: credentials and bodies have
 * their own limits. Guarantee: a request without a response by then gets 503, its open transaction is rolled
 * back, its connection is closed, and further queries are refused. Queries that it completed outside a
 * transaction stay. Requests have no timers of their own.
 */
export class RequestDeadlines {
  readonly #app: string
  readonly #clock: Clock
  readonly #log: Log
  readonly #metrics: Metrics
  readonly #limitMs: number
  /** In order of deadline, because all have the same time limit. */
  readonly #pending = new Set<PendingRequest>()

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

  /**
   * Runs a request with its own database handle, which stops at the deadline. Searches write nothing and end
   * sooner.
   */
  run<Needs extends { sql: BatchingSql }, Result>(
    request: RequestDetails,
    services: Needs,
    work: (services: Needs) => MaybePromise<Result>,
  ): MaybePromise<Result> {
    const late = new AbortController()
    const { signal } = late
    const outcome = work({ ...services, sql: new RequestSql(services.sql, signal) })
    if (!(outcome instanceof Promise)) return outcome
    return new Promise((resolve, reject) => {
      const each: PendingRequest = {
        request,
        dueAtMs: this.#clock.monotonicMs() + this.#limitMs,
        cancel: () => {
          this.#pending.delete(each)
          late.abort(new RequestDeadlineExceeded())
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

  /** Cancels the late requests. */
  cancelLate(): void {
    const nowMs = this.#clock.monotonicMs()
    for (const each of this.#pending) {
      if (each.dueAtMs > nowMs) return
      const { id: request_id, merchantId: merchant_id, method, pattern: route = 'none' } = each.request
      const seconds = this.#limitMs / 1000
      this.#log.error(
        { request_id, merchant_id, method, route, seconds },
        'a request passed its deadline; answered 503',
      )
      this.#metrics
        .labelledCounter('vezne_late_requests_total', 'Requests that passed their deadline.', [
          'app',
          'route',
        ])
        .inc({ app: this.#app, route })
      each.cancel()
    }
  }

  /** Checks every second until the signal is aborted. */
  async watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.cancelLate()
      await this.#clock.sleep(lookEveryMs, signal).catch(() => undefined)
    }
  }

  /** Cancels all requests under way: the process ends. */
  cancelAll(): void {
    for (const { cancel: cut } of this.#pending) cut()
  }
}
