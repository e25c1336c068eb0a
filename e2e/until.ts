import { setTimeout } from 'node:timers/promises'

/** Ends what would hang for ever. It is far more than anything takes, in a heavy browser on a busy machine too. */
export const patienceMs = 120_000

const lookEveryMs = 100

/** A frame that leaves for another page while it is asked something may never answer, and is asked again. */
const lateMs = 10_000

/** Looks until there is something, and answers it. A look that fails has found nothing: pages go away while looked at. */
export async function until<Found>(
  look: () => Promise<Found | false | undefined>,
  complaint: () => string,
): Promise<Found> {
  let cause: unknown
  const endsAtMs = performance.now() + patienceMs
  while (performance.now() < endsAtMs) {
    const found = await look().catch((error: unknown) => {
      cause = error
    })
    if (found !== undefined && found !== false) return found
    await setTimeout(lookEveryMs)
  }
  throw new Error(complaint(), { cause })
}

/** What was asked for, or undefined when it does not come. */
export async function unlessLate<Answer>(asked: Promise<Answer>): Promise<Answer | undefined> {
  const heard = new AbortController()
  const late = setTimeout(lateMs, undefined, { signal: heard.signal }).catch(() => undefined)
  try {
    return await Promise.race([asked, late])
  } finally {
    heard.abort()
  }
}
