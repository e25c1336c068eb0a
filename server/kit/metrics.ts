import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** What is counted and measured. No label holds anything that a caller can make up. */
export class Metrics {
  readonly registry = new Registry()
  readonly #requests: Histogram
  readonly #observers = new Map<string, { observe(seconds: number): void }>()

  constructor() {
    this.#requests = new Histogram({
      name: 'http_server_request_duration_seconds',
      help: 'Time from the first byte of a request to the end of its answer.',
      labelNames: ['app', 'method', 'route', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers: [this.registry],
    })
  }

  observeRequest(app: string, method: string, route: string, status: number, seconds: number): void {
    const name = `${app} ${method} ${route} ${status}`
    let observer = this.#observers.get(name)
    if (!observer) {
      observer = this.#requests.labels({ app, method, route, status })
      this.#observers.set(name, observer)
    }
    observer.observe(seconds)
  }

  counter(name: string, help: string): Counter {
    return new Counter({ name, help, registers: [this.registry] })
  }

  /** A value that is asked for when somebody looks, one per label. */
  gauge(name: string, help: string, label: string, look: () => Record<string, number>): void {
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [this.registry],
      collect() {
        for (const [key, value] of Object.entries(look())) this.set({ [label]: key }, value)
      },
    })
  }

  /** Memory, processor time, event loop and garbage collection of this process. */
  watchProcess(): void {
    collectDefaultMetrics({ register: this.registry })
  }
}
