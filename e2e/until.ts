import { setTimeout } from 'node:timers/promises'

/** Ends what would hang for ever. It is far more than anything takes, in a heavy browser on a busy machine too. */
export const giveUpAfterMs = 120_000

const lookEveryMs = 100

/** Looks until there is something, and answers it. A look that fails has found nothing: pages go away while looked at. */
export async function until<Result>(
  look: () => Promise<Result | false | undefined>,
  complaint: () => string,
): Promise<Result> {
  let cause: unknown
  const endsAtMs = performance.now() + giveUpAfterMs
  while (performance.now() < endsAtMs) {
    const found = await look().catch((error: unknown) => {
      cause = error
    })
    if (found !== undefined && found !== false) return found
    await setTimeout(lookEveryMs)
  }
  throw new Error(complaint(), { cause })
}
