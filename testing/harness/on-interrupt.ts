const cleanups: (() => void)[] = []

/** Registers a cleanup for an interrupted test run, in which the tests' own hooks do not run. */
export function onInterrupt(cleanup: () => void): void {
  if (cleanups.length === 0) {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.once(signal, () => {
        for (const each of cleanups) each()
        process.exit(1)
      })
    }
  }
  cleanups.push(cleanup)
}
