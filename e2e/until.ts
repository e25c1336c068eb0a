import { setTimeout } from 'node:timers/promises'

/**
 * Limit for anything that hangs. It is far longer than any step takes, even in a heavy browser on a busy
 * machine.
 */
export const giveUpAfterMs = 120_000

const lookEveryMs = 100

/**
 * Repeats the look until it returns something. A look that throws is repeated too, because pages go away
 * meanwhile.
 */
export async function until<Result>(
  look: () => Promise<Result | false | undefined>,
  complaint: () => string,
  limitMs = giveUpAfterMs,
): Promise<Result> {
  let cause: unknown
  const endsAtMs = performance.now() + limitMs
  while (performance.now() < endsAtMs) {
    const found = await look().catch((error: unknown) => {
      cause = error
    })
    if (found !== undefined && found !== false) return found
    await setTimeout(lookEveryMs)
  }
  throw new Error(complaint(), { cause })
}
