import type { TestAnswer, TestApi, TestRequest } from './api.ts'

type Headers = Record<string, string>

/** A merchant's backend. It gets a token whenever the clock has moved, so that a test may move it as it likes. */
export interface Backend {
  send(request: TestRequest): Promise<TestAnswer>
  get(url: string, headers?: Headers): Promise<TestAnswer>
  /** A POST with a form, of fields or as it is written. */
  form(url: string, fields: Record<string, string> | string, headers?: Headers): Promise<TestAnswer>
  /** A POST with JSON. */
  json(url: string, body: unknown, headers?: Headers): Promise<TestAnswer>
  delete(url: string, headers?: Headers): Promise<TestAnswer>
  /** Every page of a list from this address on, each by the `Link` of the one before. */
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

/** Tokens of a key. As long as the clock stands still, one will do. */
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

/** Where the list goes on, as the answer says: the path and query of its `Link`. */
export function nextPagePath(page: TestAnswer): string | undefined {
  const link = /^<([^>]+)>; rel="next"$/.exec(String(page.headers['link'] ?? ''))?.[1]
  if (link === undefined) return undefined
  const { pathname, search } = new URL(link)
  return pathname + search
}
