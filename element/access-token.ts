import type { Api } from './call-api.ts'
import { callApi, startFailure } from './call-api.ts'

/** Where the service does not say what time it is there, a token is kept for so long. */
const assumedLifetimeMs = 5 * 60_000
/** A token must not end on its way. */
const marginMs = 30_000

/**
 * The access token of a public key. Guarantee: none is handed out that is about to end, whatever the clock of the
 * payer's machine says: how long it lives is counted from when it was asked for.
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

  /** The API takes it no longer. */
  forget(): void {
    this.#cached = undefined
  }
}
