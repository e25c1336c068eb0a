/** The address of the payment's page, without a slash at its end. */
export const pageAddress = document.body.dataset['page'] ?? ''

const defaultTimeoutMs = 15_000

/**
 * Asks the service at an address below the page's. Answers undefined when it cannot be reached, does not answer in
 * time, or has nothing to say.
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
