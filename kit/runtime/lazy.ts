import { createRequire } from 'node:module'
import type { Clock } from './clock.ts'

/** Values that nobody has asked for yet. */
const waiting = new Set<() => unknown>()

/**
 * Something that takes long to load or to make, and that a start does not need: it is there at its first use. A service
 * that is ready gets it before by `preloadLazyValues`, so that no request has to wait for it.
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

/** A package that is loaded at its first use: `lazyPackage<typeof import('qs')>('qs')`. */
export function lazyPackage<Package>(name: string): () => Package {
  return lazily((): Package => require(name))
}

/** Long enough for everything that waited meanwhile to get its turn, also on a busy machine. */
const pauseMs = 200

/** Loads all that is still waiting, one after the other, until the signal. An error is left to the first caller. */
export async function preloadLazyValues(clock: Clock, signal: AbortSignal): Promise<void> {
  for (const get of waiting) {
    await clock.sleep(pauseMs, signal).catch(() => undefined)
    if (signal.aborted) return
    try {
      get()
    } catch {
      // It is tried again by its first use, which has somebody to tell.
    }
  }
}
