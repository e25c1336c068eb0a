/**
 * Reports to the page every request of its scripts, including the payment element's, because it runs before
 * the element loads. Your shop does not need this; the demo uses it to show the requests.
 */
const send = window.fetch

window.fetch = async (input, init) => {
  const beganAt = new Date()
  const url = new URL(input instanceof Request ? input.url : input, window.location.href)
  const entry = {
    kind: 'browser',
    at: beganAt.toISOString(),
    method: (init?.method ?? (input instanceof Request ? input.method : 'GET')).toUpperCase(),
    to: url.origin,
    path: url.pathname + url.search,
    sent: sentOf(input, init),
  }
  try {
    const response = await send(input, init)
    const durationMs = Date.now() - beganAt.getTime()
    // A copy is read, so that the caller does not wait for it.
    void answerOf(response.clone()).then((answered) =>
      dispatchEntry({ ...entry, status: response.status, durationMs, answered }),
    )
    return response
  } catch (error) {
    dispatchEntry({
      ...entry,
      status: 0,
      durationMs: Date.now() - beganAt.getTime(),
      answered: String(error),
    })
    throw error
  }
}

function dispatchEntry(detail: object): void {
  window.dispatchEvent(new CustomEvent('demo:request', { detail }))
}

function sentOf(input: RequestInfo | URL, init: RequestInit | undefined): object {
  const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : {}))
  const body = typeof init?.body === 'string' ? read(init.body) : init?.body
  const form = body instanceof URLSearchParams ? Object.fromEntries(body) : body
  return { ...Object.fromEntries(headers), ...(form === undefined || form === null ? {} : { body: form }) }
}

async function answerOf(response: Response): Promise<unknown> {
  return read(await response.text().catch(() => ''))
}

function read(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

export {}
