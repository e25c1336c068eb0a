import type { ServerResponse } from 'node:http'
import type { Clock } from '../../kit/runtime/clock.ts'
import { maskSecrets } from './mask-secrets.ts'

/** An entry of the shop's server, as browsers receive it. */
export type FeedEntry =
  | {
      kind: 'server'
      method: string
      path: string
      status: number
      durationMs: number
      sent: object
      answered: unknown
    }
  | { kind: 'event'; type: string; eventId: number; body: unknown }
  /** The shop has verified the signature. */
  | {
      kind: 'webhook'
      type: string
      eventId: string
      isNew: boolean
      body: unknown
    }

const maxListeners = 16
const maxRemembered = 400
const maxUnread = 1024 * 1024

/**
 * Sends entries to browsers as Server-Sent Events. A browser that connects later first gets the latest
 * entries, so that the payer misses nothing on the payment page. Guarantee: a browser gets only the entries of
 * its own visitor, and no whole key, token or secret.
 */
export class LiveFeed {
  /** Visitor of each connected browser. */
  readonly #listeners = new Map<ServerResponse, string>()
  readonly #remembered: { id: number; visitor: string; line: string }[] = []
  readonly #clock: Clock
  #isEnded = false
  #last: number

  constructor(clock: Clock) {
    this.#clock = clock
    // Greater than every id sent before a restart, because browsers reconnect with the last id they know.
    this.#last = clock.now().getTime()
  }

  get listenerCount(): number {
    return this.#listeners.size
  }

  publish(visitor: string, content: FeedEntry): void {
    this.#last += 1
    const entry = { id: this.#last, at: this.#clock.now().toISOString(), ...(maskSecrets(content) as object) }
    const line = `id: ${this.#last}\ndata: ${JSON.stringify(entry)}\n\n`
    this.#remembered.push({ id: this.#last, visitor, line })
    if (this.#remembered.length > maxRemembered) this.#remembered.shift()
    for (const [listener, own] of this.#listeners) if (own === visitor) this.#write(listener, line)
  }

  get hasRoom(): boolean {
    return !this.#isEnded && this.#listeners.size < maxListeners
  }

  /** Sends a browser the entries of its visitor after `knownId`, then new ones. */
  listen(response: ServerResponse, visitor: string, knownId: number): void {
    this.#listeners.set(response, visitor)
    response.once('close', () => this.#listeners.delete(response))
    response.write('retry: 2000\n\n')
    for (const { id, visitor: own, line } of this.#remembered)
      if (own === visitor && id > knownId) this.#write(response, line)
  }

  /** Keeps the connections open, and detects closed ones. */
  beat(): void {
    for (const listener of this.#listeners.keys()) this.#write(listener, ': here\n\n')
  }

  end(): void {
    this.#isEnded = true
    for (const listener of this.#listeners.keys()) listener.end()
  }

  #write(listener: ServerResponse, line: string): void {
    // A browser that does not read is disconnected, and can reconnect.
    if (listener.writableLength > maxUnread) listener.destroy()
    else listener.write(line)
  }
}
