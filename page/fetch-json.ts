/** Address of the payment page, without a trailing slash. */
export const pageAddress = document.body.dataset['page'] ?? ''

const defaultTimeoutMs = 15_000

/**
 * Sends a request to an address below the page's. Returns undefined if the service cannot be reached, does
 * not answer in time, or answers with 5xx or without JSON.
 */
export async function fetchJson<Answer>(
  path: string,
  body?: unknown,
  timeoutMs: number = defaultTimeoutMs,
): Promise<Answer | undefined> {
  const request =
    body === undefined
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const answer = await fetch(`${pageAddress}/${path}`, {
      cache: 'no-store',
      credentials: 'omit',
      signal,
      ...request,
    })
    if (answer.status >= 500) return undefined
    return (await answer.json()) as Answer
  } catch {
    return undefined
  }
}
