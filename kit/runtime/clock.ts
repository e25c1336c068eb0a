import { setTimeout as pause } from 'node:timers/promises'

/** The one source of time. Tests hand in a clock that they move themselves. */
export interface Clock {
  now(): Date
  /** Milliseconds that never jump, for measuring durations. */
  monotonicMs(): number
  /** Resolves after `ms`, or at once with the signal's reason as an error when it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Why no work may begin by this clock; undefined while it is right. */
  readonly fault?: ClockFaultKind | undefined
}

export type ClockFaultKind =
  /** Nobody has found it right yet. */
  | 'unconfirmed'
  /** The last measurement found it wrong, the one before did not. */
  | 'doubted'
  /** It was found wrong. */
  | 'wrong'
  /** It has gone elsewhere than the monotonic clock since it was right. */
  | 'leapt'
  /** It was not measured for too long: the process stood still, or the database is away. */
  | 'unmeasured'

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  sleep: async (ms, signal) => {
    await pause(ms, undefined, signal ? { signal } : {})
  },
}

/** Does the work once everything that has arrived at this moment was looked at. It is no wait: no time has to pass. */
export function runAfterPendingIo(work: () => void): void {
  setImmediate(work)
}
