import type { HttpClient } from '../../kit/outbound/http-client.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { LiveFeed } from './live-feed.ts'

export interface VezneClientOptions {
  apiUrl: string
  secretKey: string
  http: HttpClient
  clock: Clock
  live: LiveFeed
}

export interface VezneResponse {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: what it holds is said by the API's documents, and of whom it is asked it is believed
  json: any
}

/** A token is replaced this long before it ends. */
const marginMs = 30_000
const timeoutMs = 10_000

/** The shop's way to the API: a token by its secret key, kept while it lasts, and requests with it. */
export class VezneClient {
  readonly #options: VezneClientOptions
  #token: { text: Promise<string>; goodUntilMs: number } | undefined

  constructor(options: VezneClientOptions) {
    this.#options = options
  }

  /** Whatever was answered; throws when nothing was. A token that is no longer taken is replaced, once. */
  async send(method: 'GET' | 'POST', path: string, body?: object): Promise<VezneResponse> {
    const answer = await this.#ask(method, path, await this.#tokenNow(), body)
    if (answer.status !== 401) return answer
    this.#token = undefined
    return this.#ask(method, path, await this.#tokenNow(), body)
  }

  #tokenNow(): Promise<string> {
    const { clock } = this.#options
    if (this.#token && clock.now().getTime() < this.#token.goodUntilMs) return this.#token.text
    const token = { text: this.#newToken(), goodUntilMs: clock.now().getTime() + marginMs }
    this.#token = token
    // One that could not be got is not kept.
    token.text.catch(() => {
      if (this.#token === token) this.#token = undefined
    })
    return token.text
  }

  async #newToken(): Promise<string> {
    const { secretKey } = this.#options
    const { status, json } = await this.#ask('POST', '/v1/token/get-token', secretKey)
    if (status !== 200) throw new Error(`no token was given: ${json?.message}`)
    const { access_token: text, expires_at: expiresAt } = json.data
    if (this.#token) this.#token.goodUntilMs = Date.parse(expiresAt) - marginMs
    return text
  }

  async #ask(
    method: 'GET' | 'POST',
    path: string,
    credential: string,
    body?: object,
  ): Promise<VezneResponse> {
    const { apiUrl, http, clock, live } = this.#options
    const beganAtMs = clock.monotonicMs()
    const content = body === undefined ? {} : { 'content-type': 'application/json' }
    const {
      status,
      headers,
      body: bytes,
    } = await http.send({
      method,
      url: `${apiUrl}${path}`,
      headers: { authorization: `Bearer ${credential}`, accept: 'application/json', ...content },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      timeoutMs,
    })
    const json = readJson(bytes)
    const durationMs = Math.round(clock.monotonicMs() - beganAtMs)
    // The look for new events comes again and again; what it finds is shown, and not that it looked.
    if (!path.startsWith('/v1/events')) {
      const sent = { authorization: `Bearer ${credential}`, ...(body === undefined ? {} : { body }) }
      live.publish({ kind: 'server', method, path, status, durationMs, sent, answered: json })
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
