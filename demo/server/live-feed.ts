import type { ServerResponse } from 'node:http'
import type { Clock } from '../../kit/runtime/clock.ts'
import { maskSecrets } from './mask-secrets.ts'

/** Something that happened on the shop's server, as it is sent to browsers. */
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
  | {
      kind: 'webhook'
      type: string
      eventId: string
      signature: 'right' | 'wrong'
      isNew: boolean
      body: unknown
    }

const maxListeners = 16
const maxRemembered = 80
const maxUnread = 1024 * 1024

/**
 * Sends browsers what happens, as Server-Sent Events. One that comes later gets the last of it first, so that nothing is
 * missed while the payer is on the payment page. Guarantee: no whole key, token or secret is sent.
 */
export class LiveFeed {
  readonly #listeners = new Set<ServerResponse>()
  readonly #remembered: { id: number; line: string }[] = []
  readonly #clock: Clock
  #isEnded = false
  #last: number

  constructor(clock: Clock) {
    this.#clock = clock
    // Above all that were sent before a restart, whose browsers come again with the last that they know.
    this.#last = clock.now().getTime()
  }

  get hasListeners(): boolean {
    return this.#listeners.size > 0
  }

  publish(content: FeedEntry): void {
    this.#last += 1
    const entry = { id: this.#last, at: this.#clock.now().toISOString(), ...(maskSecrets(content) as object) }
    const line = `id: ${this.#last}\ndata: ${JSON.stringify(entry)}\n\n`
    this.#remembered.push({ id: this.#last, line })
    if (this.#remembered.length > maxRemembered) this.#remembered.shift()
    for (const listener of this.#listeners) this.#write(listener, line)
  }

  get hasRoom(): boolean {
    return !this.#isEnded && this.#listeners.size < maxListeners
  }

  /** Begins to send to a browser, after what it knows. */
  listen(response: ServerResponse, knownId: number): void {
    this.#listeners.add(response)
    response.once('close', () => this.#listeners.delete(response))
    response.write('retry: 2000\n\n')
    for (const { id, line } of this.#remembered) if (id > knownId) this.#write(response, line)
  }

  /** Keeps the connections open, and notices those that are gone. */
  beat(): void {
    for (const listener of this.#listeners) this.#write(listener, ': here\n\n')
  }

  end(): void {
    this.#isEnded = true
    for (const listener of this.#listeners) listener.end()
  }

  #write(listener: ServerResponse, line: string): void {
    // Who does not read is let go, and may come again.
    if (listener.writableLength > maxUnread) listener.destroy()
    else listener.write(line)
  }
}
