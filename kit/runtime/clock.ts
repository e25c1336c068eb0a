import { setTimeout as pause } from 'node:timers/promises'

/** The only source of time. Tests pass a clock that they move themselves. */
export interface Clock {
  now(): Date
  /** Monotonic milliseconds, for measuring durations. */
  monotonicMs(): number
  /** Resolves after `ms`. Rejects with the signal's reason as soon as it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Reason why no work may begin by this clock; undefined while it is right. */
  readonly fault?: ClockFaultKind | undefined
}

export type ClockFaultKind =
  /** Not confirmed right yet. */
  | 'unconfirmed'
  /** The last measurement found it wrong, the one before did not. */
  | 'doubted'
  /** Confirmed wrong. */
  | 'wrong'
  /** Moved against the monotonic clock since it was right. */
  | 'leapt'
  /** Not measured for too long: the process was suspended, or the database is unreachable. */
  | 'unmeasured'

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  sleep: async (ms, signal) => {
    await pause(ms, undefined, signal ? { signal } : {})
  },
}

/** Runs the work after all I/O that has already arrived. It does not wait for any time to pass. */
export function runAfterPendingIo(work: () => void): void {
  setImmediate(work)
}
