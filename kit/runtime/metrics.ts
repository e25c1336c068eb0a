import type { Counter, Gauge, Histogram, Metric, Registry } from 'prom-client'
import { lazyPackage } from './lazy.ts'

export type ObserveRequest = (method: string, route: string, status: number, seconds: number) => void

/** Loaded lazily: commands count nothing. */
const prom = lazyPackage<typeof import('prom-client')>('prom-client')

/** Counters and measurements. No label holds a value that a caller can choose. */
export class Metrics {
  readonly #requests = new RequestTimes()
  readonly #gauges: ((registry: Registry) => void)[] = []
  readonly #values = new Map<string, () => number>()
  #registry: Registry | undefined

  get registry(): Registry {
    if (!this.#registry) {
      this.#registry = new (prom().Registry)()
      this.#registry.registerMetric(this.#requests as unknown as Metric)
    }
    for (const show of this.#gauges.splice(0)) show(this.#registry)
    return this.#registry
  }

  /** Observer for the request times of one web app. */
  requestsOf(app: string): ObserveRequest {
    return this.#requests.of(app)
  }

  /** Every call with the same name returns the same counter. */
  counter<Label extends string>(name: string, help: string, labelNames: Label[] = []): Counter<Label> {
    const known = this.registry.getSingleMetric(name) as Counter<Label> | undefined
    return known ?? new (prom().Counter)({ name, help, labelNames, registers: [this.registry] })
  }

  /** Histogram of durations in seconds; every call with the same name returns the same histogram. */
  histogram(name: string, help: string, buckets: number[]): Histogram {
    const known = this.registry.getSingleMetric(name) as Histogram | undefined
    return known ?? new (prom().Histogram)({ name, help, buckets, registers: [this.registry] })
  }

  /** A value that is read when the metrics are scraped. A later call with the same name replaces it. */
  gauge(name: string, help: string, look: () => number): void {
    if (!this.#values.has(name))
      this.#addGauge(name, help, [], (gauge) => gauge.set(this.#values.get(name)?.() ?? 0))
    this.#values.set(name, look)
  }

  /** A gauge with one value per label, read when the metrics are scraped. */
  labelledGauge(name: string, help: string, label: string, look: () => Record<string, number>): void {
    this.#addGauge(name, help, [label], (gauge) => {
      for (const [key, value] of Object.entries(look())) gauge.set({ [label]: key }, value)
    })
  }

  #addGauge(name: string, help: string, labelNames: string[], update: (gauge: Gauge) => void): void {
    const collect = function (this: Gauge) {
      update(this)
    }
    this.#gauges.push(
      (registry) => new (prom().Gauge)({ name, help, labelNames, registers: [registry], collect }),
    )
  }

  /** Memory, CPU time, event loop and garbage collection of this process. */
  watchProcess(): void {
    prom().collectDefaultMetrics({ register: this.registry })
  }
}

/** Upper bounds of the buckets, in seconds. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

interface Series {
  labels: { app: string; method: string; route: string; status: number }
  /** Requests per bucket, not cumulative; the last bucket has no bound. */
  counts: number[]
  sum: number
}

/**
 * A histogram in the form that prom-client's registry reads. prom-client's own builds a text of all labels at
 * every observation, which took a sixteenth of a request's time; here the labels are looked up.
 */
class RequestTimes {
  readonly name = 'http_server_request_duration_seconds'
  readonly help = 'Time from the first byte of a request to the end of its answer.'
  readonly type = 'histogram'
  readonly aggregator = 'sum'
  readonly #all: Series[] = []

  of(app: string): ObserveRequest {
    const known = new Map<string, Map<string, Map<number, Series>>>()
    return (method, route, status, seconds) => {
      const byMethod = known.getOrInsertComputed(route, () => new Map())
      const byStatus = byMethod.getOrInsertComputed(method, () => new Map())
      const series = byStatus.getOrInsertComputed(status, () =>
        this.#newSeries({ app, method, route, status }),
      )
      const bucket = bounds.findIndex((bound) => seconds <= bound)
      const index = bucket < 0 ? bounds.length : bucket
      series.counts[index] = (series.counts[index] ?? 0) + 1
      series.sum += seconds
    }
  }

  #newSeries(labels: Series['labels']): Series {
    const series = { labels, counts: [...bounds, Number.POSITIVE_INFINITY].map(() => 0), sum: 0 }
    this.#all.push(series)
    return series
  }

  async get(): Promise<object> {
    const { name, help, type, aggregator } = this
    return { name, help, type, aggregator, values: this.#all.flatMap((series) => this.#valuesOf(series)) }
  }

  #valuesOf({ labels, counts, sum }: Series): object[] {
    let count = 0
    const buckets = counts.map((inBucket, index) => {
      count += inBucket
      const le = bounds[index] ?? '+Inf'
      return { metricName: `${this.name}_bucket`, labels: { le, ...labels }, value: count }
    })
    return [
      ...buckets,
      { metricName: `${this.name}_sum`, labels, value: sum },
      { metricName: `${this.name}_count`, labels, value: count },
    ]
  }
}
