import type { LiveFeed } from './live-feed.ts'
import type { VezneClient } from './vezne-client.ts'

/** Reads the list of events on after the last one that was read, and sends what is new. */
export class EventReader {
  readonly #vezne: VezneClient
  readonly #live: LiveFeed
  /** Undefined before the first look, which finds out where the list ends now. */
  #path: string | undefined

  constructor(vezne: VezneClient, live: LiveFeed) {
    this.#vezne = vezne
    this.#live = live
  }

  async read(): Promise<void> {
    const { status, headers, json } = await this.#vezne.send('GET', this.#path ?? '/v1/events?after=latest')
    if (status !== 200) throw new Error(`Vezne answered ${status}: ${json?.message}`)
    const first = this.#path === undefined
    for (const event of json) {
      this.#live.publish({ kind: 'event', type: event.type, eventId: event.id, body: event })
      this.#path = `/v1/events?after=${event.id}`
    }
    if (first) this.#path = nextOf(headers.get('link')) ?? '/v1/events'
  }
}

/** Where the list goes on, as its `Link` says. */
function nextOf(link: string | null): string | undefined {
  const address = /<([^>]+)>; rel="next"/.exec(link ?? '')?.[1]
  if (address === undefined) return undefined
  const { pathname, search } = new URL(address, 'http://localhost')
  return pathname.slice(Math.max(0, pathname.indexOf('/v1/'))) + search
}
