import type { Api } from './ask.ts'
import { ask, failure } from './ask.ts'

/** Where the service does not say what time it is there, a token is kept for so long. */
const assumedLifetimeMs = 5 * 60_000
/** A token must not end on its way. */
const marginMs = 30_000

/**
 * The access token of a public key. Guarantee: none is handed out that is about to end, whatever the clock of the
 * payer's machine says: how long it lives is counted from when it was asked for.
 */
export class Token {
  readonly #api: Api
  readonly #publicKey: string
  #kept: { text: string; freshUntilMs: number } | undefined

  constructor(api: Api, publicKey: string) {
    this.#api = api
    this.#publicKey = publicKey
  }

  async get(signal: AbortSignal): Promise<string> {
    const askedAtMs = this.#api.browser.now()
    if (this.#kept && askedAtMs < this.#kept.freshUntilMs) return this.#kept.text
    const answer = await ask(this.#api, { path: '/v1/token/get-token', credential: this.#publicKey }, signal)
    const { access_token: text, expires_at } = answer.data
    if (answer.status !== 200 || typeof text !== 'string') throw failure(this.#api, 'refused', answer)
    const livesMs = Date.parse(String(expires_at)) - answer.sentAt
    const lifetimeMs = Number.isNaN(livesMs) ? assumedLifetimeMs : livesMs
    this.#kept = { text, freshUntilMs: askedAtMs + lifetimeMs - marginMs }
    return text
  }

  /** The API takes it no longer. */
  forget(): void {
    this.#kept = undefined
  }
}
