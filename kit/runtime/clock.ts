import { setTimeout as pause } from 'node:timers/promises'

/** The only source of time. Tests pass a clock that they move themselves. */
export interface Clock {
  now(): Date
  /** Monotonic milliseconds, for measuring durations. */
  monotonicMs(): number
  /** Resolves after `ms`. Rejects with the signal's reason as soon as it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Runs the work after `ms`, unless the returned function is called before. Cheaper than an aborted sleep. */
  startTimer(ms: number, work: () => void): () => void
  /** Reason why no work may begin by this clock; undefined while it is right. */
  readonly fault?: ClockFaultKind | undefined
  /** True for the fault `unconfirmed`. It costs less to ask, so it can be asked at each request. */
  readonly isUnconfirmed?: boolean
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
  startTimer: (ms, work) => {
    const timer = setTimeout(work, ms)
    return () => clearTimeout(timer)
  },
}

/** Repeats the work until the signal is aborted; a run under way is completed first. */
export async function repeat(
  clock: Clock,
  everyMs: number,
  signal: AbortSignal,
  work: () => Promise<unknown> | unknown,
): Promise<void> {
  while (!signal.aborted) {
    await work()
    await clock.sleep(everyMs, signal).catch(() => undefined)
  }
}

/** The result of the work; that of `late` if the work takes longer than `ms`. The work goes on. */
export async function within<Result, Late>(
  clock: Clock,
  ms: number,
  work: Promise<Result>,
  late: () => Late,
): Promise<Result | Late> {
  const expired = Promise.withResolvers<void>()
  const cancelTimer = clock.startTimer(ms, expired.resolve)
  try {
    return await Promise.race([work, expired.promise.then(late)])
  } finally {
    cancelTimer()
  }
}

export function later(from: Date, seconds: number): Date {
  return new Date(from.getTime() + seconds * 1000)
}

/** Age in seconds; 0 if there is no time. */
export function secondsSince(clock: Clock, at: Date | null): number {
  return at ? Math.max(0, clock.now().getTime() - at.getTime()) / 1000 : 0
}

/** Runs the work after all I/O that has already arrived. It does not wait for any time to pass. */
export function runAfterPendingIo(work: () => void): void {
  setImmediate(work)
}
