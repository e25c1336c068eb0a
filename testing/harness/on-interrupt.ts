const cleanups: (() => void)[] = []

/** What is to be done when the test run is interrupted, which ends tests without their own endings. */
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
