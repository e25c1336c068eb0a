import { createRequire } from 'node:module'
import type { Clock } from './clock.ts'

const waiting = new Set<() => unknown>()

/**
 * A value that is slow to load or to make and not needed at the start: it is made at its first use. A running
 * service makes it earlier with `preloadLazyValues`, so that no request waits for it.
 */
export function lazily<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  const get = () => {
    waiting.delete(get)
    made ??= { value: make() }
    return made.value
  }
  waiting.add(get)
  return get
}

const require = createRequire(import.meta.url)

/** A package that is loaded at its first use: `lazyPackage<typeof import('pino')>('pino')`. */
export function lazyPackage<Package>(name: string): () => Package {
  return lazily((): Package => require(name))
}

/** Long enough for pending work to run, even on a busy machine. */
const pauseMs = 200

/** Makes all lazy values one by one, until the signal is aborted. A failure is left to the first use. */
export async function preloadLazyValues(clock: Clock, signal: AbortSignal): Promise<void> {
  for (const get of waiting) {
    await clock.sleep(pauseMs, signal).catch(() => undefined)
    if (signal.aborted) return
    try {
      get()
    } catch {
      // The first use tries again and reports the error to its caller.
    }
  }
}
