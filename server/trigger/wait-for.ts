import type { Services } from '../services.ts'

/** Background jobs take a second or two, and a busy machine takes longer. */
const timeoutSeconds = 30
const pauseMs = 100

/** Polls until a value is there; after a timeout throws an error that names it. */
export async function waitFor<Value>(
  { clock }: Pick<Services, 'clock'>,
  what: string,
  read: () => Promise<Value | undefined>,
): Promise<Value> {
  const endsAtMs = clock.monotonicMs() + timeoutSeconds * 1000
  while (clock.monotonicMs() < endsAtMs) {
    const value = await read()
    if (value !== undefined) return value
    await clock.sleep(pauseMs)
  }
  throw new Error(
    `Timed out after ${timeoutSeconds} seconds waiting for ${what}. Check that the background jobs run (vezne start or vezne work).`,
  )
}
