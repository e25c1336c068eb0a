import type { TestAnswer, TestApi, TestRequest } from './api.ts'

type Headers = Record<string, string>

/**
 * A merchant's backend. It gets a new token whenever the clock has advanced, so that no token expires in a
 * test.
 */
export interface Backend {
  send(request: TestRequest): Promise<TestAnswer>
  get(url: string, headers?: Headers): Promise<TestAnswer>
  /** Posts a form, given as fields or as text. */
  form(url: string, fields: Record<string, string> | string, headers?: Headers): Promise<TestAnswer>
  /** Posts JSON. */
  json(url: string, body: unknown, headers?: Headers): Promise<TestAnswer>
  delete(url: string, headers?: Headers): Promise<TestAnswer>
  /** Every page of a list from this address, each by the `Link` of the previous one. */
  pages(url: string): AsyncIterable<TestAnswer>
}

export function backendOf(api: TestApi, key = api.secretKey): Backend {
  const token = tokensOf(api, key)
  const send = async (request: TestRequest) => api.call({ ...request, token: await token() })
  const get = (url: string, headers: Headers = {}) => send({ url, headers })
  return {
    send,
    get,
    form: (url, fields, headers = {}) => {
      const form = typeof fields === 'string' ? fields : new URLSearchParams(fields).toString()
      return send({ method: 'POST', url, form, headers })
    },
    json: (url, json, headers = {}) => send({ method: 'POST', url, json, headers }),
    delete: (url, headers = {}) => send({ method: 'DELETE', url, headers }),
    pages: async function* (url) {
      for (let next: string | undefined = url; next !== undefined; ) {
        const page: TestAnswer = await get(next)
        yield page
        next = nextPagePath(page)
      }
    },
  }
}

/** Tokens of a key, reused while the clock stands still. */
export function tokensOf(
  { token, clock }: Pick<TestApi, 'token' | 'clock'>,
  key?: string,
): () => Promise<string> {
  let known: { atMs: number; token: Promise<string> } | undefined
  return () => {
    const atMs = clock.now().getTime()
    if (known?.atMs !== atMs) known = { atMs, token: token(key) }
    return known.token
  }
}

/** Path and query of the next page, from the `Link` header. */
export function nextPagePath(page: TestAnswer): string | undefined {
  const link = /^<([^>]+)>; rel="next"$/.exec(String(page.headers['link'] ?? ''))?.[1]
  if (link === undefined) return undefined
  const { pathname, search } = new URL(link)
  return pathname + search
}
