import type { Clock } from '../kit/clock.ts'

/** A clock that stands still until a test moves it. Whoever sleeps wakes up when it passes their time. */
export class TestClock implements Clock {
  #nowMs: number
  #sleepers: { atMs: number; wake: () => void }[] = []

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
      signal?.addEventListener('abort', () => reject(signal.reason))
      this.#sleepers.push({ atMs: this.#nowMs + ms, wake: resolve })
    })
  }

  advance(ms: number): void {
    this.#nowMs += ms
    const due = this.#sleepers.filter((sleeper) => sleeper.atMs <= this.#nowMs)
    this.#sleepers = this.#sleepers.filter((sleeper) => sleeper.atMs > this.#nowMs)
    for (const { wake } of due) wake()
  }
}
