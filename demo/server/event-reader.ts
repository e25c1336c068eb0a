import type { FeedEntry } from './live-feed.ts'
import type { VezneClient } from './vezne-client.ts'

/** Reads new events after the last one, and reports each of them. */
export class EventReader {
  readonly #vezne: VezneClient
  readonly #report: (entry: FeedEntry) => void
  /** Undefined before the first request, which finds the end of the list. */
  #path: string | undefined

  constructor(vezne: VezneClient, report: (entry: FeedEntry) => void) {
    this.#vezne = vezne
    this.#report = report
  }

  /** True if the end of the list is known, so that no event from now on is missed. */
  get hasBegun(): boolean {
    return this.#path !== undefined
  }

  async read(): Promise<void> {
    const { status, headers, json } = await this.#vezne.send('GET', this.#path ?? '/v1/events?after=latest')
    if (status !== 200) throw new Error(`Vezne answered ${status}: ${json?.message}`)
    const first = this.#path === undefined
    for (const event of json) {
      this.#report({ kind: 'event', type: event.type, eventId: event.id, body: event })
      this.#path = `/v1/events?after=${event.id}`
    }
    if (first) this.#path = nextOf(headers.get('link')) ?? '/v1/events'
  }
}

/** Address of the next page in a `Link` header. */
function nextOf(link: string | null): string | undefined {
  const address = /<([^>]+)>; rel="next"/.exec(link ?? '')?.[1]
  if (address === undefined) return undefined
  const { pathname, search } = new URL(address, 'http://localhost')
  return pathname.slice(Math.max(0, pathname.indexOf('/v1/'))) + search
}
