import type { Services } from '../services.ts'

/** What the background jobs do comes a second or two later, and a busy machine takes its time. */
const timeoutSeconds = 30
const pauseMs = 100

/** Looks again and again until something is there, for a while; then it says what never came. */
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
    `Waited ${timeoutSeconds} seconds for ${what}, in vain: do the background jobs run (vezne start, vezne work)?`,
  )
}
