import type { IncomingHttpHeaders } from 'node:http'
import type { Html } from '../text/html.ts'
import type { Language } from '../text/locale.ts'

/** A request for one of our pages, from a payer's browser or from a server that was given this address. */
export interface PageRouteRequest {
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  headers: IncomingHttpHeaders
  /** Raw bytes: some bodies are signed. */
  body: Buffer
  address: string
  /** Language the visitor prefers; undefined if it is none of ours. */
  language: Language | undefined
}

export type PageRouteResponse =
  | {
      kind: 'page'
      html: Html
      policy: string
      status?: number
      /** Name under which browsers save the page instead of showing it. */
      savedAs?: string
    }
  | { kind: 'json'; value: unknown; status?: number }
  /** Redirects with GET, for every request method. */
  | { kind: 'redirect'; location: string }

/** An address that browsers visit. No page uses cookies: the address itself grants access. */
export interface PageRoute<Needs> {
  method: 'GET' | 'POST'
  url: string
  /** True if banks' servers and banks' pages call this address. These requests are not rate-limited. */
  fromBanks?: boolean
  handle(services: Needs, request: PageRouteRequest): Promise<PageRouteResponse>
}
