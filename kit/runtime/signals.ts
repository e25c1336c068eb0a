import { systemClock } from './clock.ts'

/** The ways to be told to end; SIGHUP is a terminal that was closed. */
export const shutdownSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export interface ShutdownSignalPromises {
  first: Promise<string>
  /** Whoever says it twice does not want to wait. */
  second: Promise<string>
  /** From now on a signal ends the process as it does where nobody listens. */
  forget(): void
}

export function listenForShutdownSignals(): ShutdownSignalPromises {
  const first = Promise.withResolvers<string>()
  const second = Promise.withResolvers<string>()
  let firstSignal = ''
  let firstAtMs = 0
  const onSignal = (signal: string) => {
    const nowMs = systemClock.monotonicMs()
    // npm passes on what the whole group was told already: the same word twice at once is one word.
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
