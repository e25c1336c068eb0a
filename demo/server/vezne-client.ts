import type { HttpClient } from '../../kit/outbound/http-client.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { FeedEntry } from './live-feed.ts'

export interface VezneClientOptions {
  apiUrl: string
  secretKey: string
  http: HttpClient
  clock: Clock
  /** Shows a request to the visitor for whom it was made. */
  report(entry: FeedEntry, visitor: string): void
}

export interface VezneRequest {
  body?: object
  idempotencyKey?: string
  /** Visitor for whom the request is made; undefined for work of the shop itself, which nobody is shown. */
  visitor?: string | undefined
}

export interface VezneResponse {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: what it holds is said by the API's documents, and of whom it is asked it is believed
  json: any
}

/** Time before its expiry at which a token is replaced. */
const marginMs = 30_000
const timeoutMs = 10_000

/** Client of the API. It gets a token with the secret key and reuses it until it expires. */
export class VezneClient {
  readonly #options: VezneClientOptions
  #token: { text: Promise<string>; goodUntilMs: number } | undefined

  constructor(options: VezneClientOptions) {
    this.#options = options
  }

  /** Returns any HTTP response; throws if there is none. After 401 it gets a new token and retries once. */
  async send(method: 'GET' | 'POST', path: string, request: VezneRequest = {}): Promise<VezneResponse> {
    const answer = await this.#ask(method, path, await this.#tokenNow(request), request)
    if (answer.status !== 401) return answer
    this.#token = undefined
    return this.#ask(method, path, await this.#tokenNow(request), request)
  }

  #tokenNow(request: VezneRequest): Promise<string> {
    const { clock } = this.#options
    if (this.#token && clock.now().getTime() < this.#token.goodUntilMs) return this.#token.text
    const token = { text: this.#newToken(request), goodUntilMs: clock.now().getTime() + marginMs }
    this.#token = token
    // A failed token request is not cached.
    token.text.catch(() => {
      if (this.#token === token) this.#token = undefined
    })
    return token.text
  }

  async #newToken({ visitor }: VezneRequest): Promise<string> {
    const { secretKey } = this.#options
    const { status, json } = await this.#ask('POST', '/v1/token/get-token', secretKey, { visitor })
    if (status !== 200) throw new Error(`no token was given: ${json?.message}`)
    const { access_token: text, expires_at: expiresAt } = json.data
    if (this.#token) this.#token.goodUntilMs = Date.parse(expiresAt) - marginMs
    return text
  }

  async #ask(
    method: 'GET' | 'POST',
    path: string,
    credential: string,
    { body, idempotencyKey, visitor }: VezneRequest,
  ): Promise<VezneResponse> {
    const { apiUrl, http, clock, report } = this.#options
    const beganAtMs = clock.monotonicMs()
    const more = {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    }
    const {
      status,
      headers,
      body: bytes,
    } = await http.send({
      method,
      url: `${apiUrl}${path}`,
      headers: { authorization: `Bearer ${credential}`, accept: 'application/json', ...more },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      timeoutMs,
    })
    const json = readJson(bytes)
    const durationMs = Math.round(clock.monotonicMs() - beganAtMs)
    if (visitor !== undefined) {
      const sent = { authorization: `Bearer ${credential}`, ...more, ...(body === undefined ? {} : { body }) }
      report({ kind: 'server', method, path, status, durationMs, sent, answered: json }, visitor)
    }
    return { status, headers, json }
  }
}

function readJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}
