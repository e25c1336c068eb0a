import type { Clock } from '../kit/clock.ts'

interface Sleeper {
  atMs: number
  wake: () => void
}

/** A clock that stands still until a test moves it. Whoever sleeps wakes up when it passes their time. */
export class TestClock implements Clock {
  #nowMs: number
  #sleepers: Sleeper[] = []
  #waiting: { count: number; found: () => void }[] = []

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
      const sleeper = { atMs: this.#nowMs + ms, wake: resolve }
      signal?.addEventListener('abort', () => {
        this.#sleepers = this.#sleepers.filter((each) => each !== sleeper)
        reject(signal.reason)
      })
      this.#sleepers.push(sleeper)
      for (const { count, found } of this.#waiting) if (this.#sleepers.length >= count) found()
    })
  }

  advance(ms: number): void {
    this.#nowMs += ms
    const due = this.#sleepers.filter((sleeper) => sleeper.atMs <= this.#nowMs)
    this.#sleepers = this.#sleepers.filter((sleeper) => sleeper.atMs > this.#nowMs)
    for (const { wake } of due) wake()
  }

  /** Returns as soon as so many sleep. */
  async asleep(count: number): Promise<void> {
    if (this.#sleepers.length >= count) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const waiting = { count, found: resolve }
    this.#waiting.push(waiting)
    await promise
    this.#waiting = this.#waiting.filter((each) => each !== waiting)
  }
}
