import { systemClock } from './clock.ts'

/** Signals that end the process; SIGHUP means that the terminal was closed. */
export const shutdownSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export interface ShutdownSignalPromises {
  first: Promise<string>
  /** A second signal: the operator does not want to wait. */
  second: Promise<string>
  /** Removes the handlers; from then on a signal ends the process immediately. */
  forget(): void
}

export function listenForShutdownSignals(): ShutdownSignalPromises {
  const first = Promise.withResolvers<string>()
  const second = Promise.withResolvers<string>()
  let firstSignal = ''
  let firstAtMs = 0
  const onSignal = (signal: string) => {
    const nowMs = systemClock.monotonicMs()
    // npm repeats a signal that the whole process group has received, so the same signal within a second
    // counts once.
    if (signal === firstSignal && nowMs - firstAtMs < 1_000) return
    if (firstSignal === '') {
      firstSignal = signal
      firstAtMs = nowMs
      first.resolve(signal)
    } else second.resolve(signal)
  }
  for (const signal of shutdownSignals) process.on(signal, onSignal)
  return {
    first: first.promise,
    second: second.promise,
    forget: () => {
      for (const signal of shutdownSignals) process.off(signal, onSignal)
    },
  }
}
