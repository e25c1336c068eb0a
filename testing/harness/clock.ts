import type { Clock } from '../../kit/runtime/clock.ts'
import { systemClock } from '../../kit/runtime/clock.ts'

interface Sleeper {
  atMs: number
  wake: () => void
}

/** A clock that stands still until a test advances it. A sleeper wakes up when the clock passes its time. */
export class TestClock implements Clock {
  #nowMs: number
  #sleepers: Sleeper[] = []
  #waiting: { count: number; atMostMs: number; notify: () => void }[] = []

  constructor(start = '2026-11-15T06:30:00Z') {
    this.#nowMs = Date.parse(start)
  }

  now(): Date {
    return new Date(this.#nowMs)
  }

  monotonicMs(): number {
    return this.#nowMs
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted()
      const remove = this.#add(ms, resolve)
      signal?.addEventListener('abort', () => {
        remove()
        reject(signal.reason)
      })
    })
  }

  startTimer(ms: number, work: () => void): () => void {
    return this.#add(ms, work)
  }

  /** Returns a function that removes the sleeper. */
  #add(ms: number, wake: () => void): () => void {
    const sleeper = { atMs: this.#nowMs + ms, wake }
    this.#sleepers.push(sleeper)
    for (const { count, atMostMs, notify } of this.#waiting) if (this.#sleepFor(atMostMs) >= count) notify()
    return () => {
      this.#sleepers = this.#sleepers.filter((each) => each !== sleeper)
    }
  }

  advance(ms: number): void {
    this.#nowMs += ms
    const due = this.#sleepers.filter((sleeper) => sleeper.atMs <= this.#nowMs)
    this.#sleepers = this.#sleepers.filter((sleeper) => sleeper.atMs > this.#nowMs)
    for (const { wake } of due) wake()
  }

  /** Resolves when `count` sleepers have at most `atMostMs` left to sleep. */
  async asleep(count: number, atMostMs = Number.POSITIVE_INFINITY): Promise<void> {
    if (this.#sleepFor(atMostMs) >= count) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const waiting = { count, atMostMs, notify: resolve }
    this.#waiting.push(waiting)
    await promise
    this.#waiting = this.#waiting.filter((each) => each !== waiting)
  }

  #sleepFor(atMostMs: number): number {
    return this.#sleepers.filter(({ atMs }) => atMs - this.#nowMs <= atMostMs).length
  }
}

/** The machine's clock, for tests of processes. A test can set it ahead. */
export class RealClock extends TestClock {
  #aheadMs = 0

  override now(): Date {
    return new Date(Date.now() + this.#aheadMs)
  }

  override monotonicMs(): number {
    return performance.now() + this.#aheadMs
  }

  override sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return systemClock.sleep(ms, signal)
  }

  override startTimer(ms: number, work: () => void): () => void {
    return systemClock.startTimer(ms, work)
  }

  override advance(ms: number): void {
    this.#aheadMs += ms
  }
}

/** A clock with a wrong time of day. Its monotonic time and its sleeps follow the test's clock. */
export class SkewedClock implements Clock {
  /** Offset of the time of day. */
  aheadMs = 0
  readonly #true: Clock

  constructor(trueClock: Clock) {
    this.#true = trueClock
  }

  now(): Date {
    return new Date(this.#true.now().getTime() + this.aheadMs)
  }

  monotonicMs(): number {
    return this.#true.monotonicMs()
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return this.#true.sleep(ms, signal)
  }

  startTimer(ms: number, work: () => void): () => void {
    return this.#true.startTimer(ms, work)
  }
}

/** A clock that reports when a sleep begins, so that a test can advance it at the right time. */
export class WatchedClock extends TestClock {
  readonly #waiting: { ms: number; notify: () => void }[] = []

  override sleep(ms: number, signal?: AbortSignal): Promise<void> {
    const sleeping = super.sleep(ms, signal)
    this.#notify(ms)
    return sleeping
  }

  override startTimer(ms: number, work: () => void): () => void {
    const cancel = super.startTimer(ms, work)
    this.#notify(ms)
    return cancel
  }

  #notify(ms: number): void {
    for (const { ms: awaitedMs, notify } of this.#waiting) if (awaitedMs === ms) notify()
  }

  someoneSleeps(ms: number): Promise<void> {
    return new Promise((notify) => this.#waiting.push({ ms, notify }))
  }
}
