import type { Api } from './call-api.ts'
import { callApi, startFailure } from './call-api.ts'

/** Assumed lifetime of a token if the response has no usable time. */
const assumedLifetimeMs = 5 * 60_000
/** Margin, so that a token does not expire during a request. */
const marginMs = 30_000

/**
 * Access token of a public key. Guarantee: no token that is about to expire is used, whatever the payer's
 * clock shows: its lifetime is counted from the time of the request.
 */
export class AccessToken {
  readonly #api: Api
  readonly #publicKey: string
  #cached: { text: string; freshUntilMs: number } | undefined

  constructor(api: Api, publicKey: string) {
    this.#api = api
    this.#publicKey = publicKey
  }

  async get(signal: AbortSignal): Promise<string> {
    const requestedAtMs = this.#api.browser.now()
    if (this.#cached && requestedAtMs < this.#cached.freshUntilMs) return this.#cached.text
    const answer = await callApi(
      this.#api,
      { path: '/v1/token/get-token', credential: this.#publicKey },
      signal,
    )
    const { access_token: text, expires_at } = answer.data
    if (answer.status !== 200 || typeof text !== 'string') throw startFailure(this.#api, 'refused', answer)
    const livesMs = Date.parse(String(expires_at)) - answer.sentAt
    const lifetimeMs = Number.isNaN(livesMs) ? assumedLifetimeMs : livesMs
    this.#cached = { text, freshUntilMs: requestedAtMs + lifetimeMs - marginMs }
    return text
  }

  /** Discards the token, because the API no longer accepts it. */
  forget(): void {
    this.#cached = undefined
  }
}
