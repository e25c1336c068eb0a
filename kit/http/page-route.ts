import type { IncomingHttpHeaders } from 'node:http'
import type { Html } from '../text/html.ts'
import type { Language } from '../text/locale.ts'

/** Somebody at one of our pages: a payer's browser, or a server that was told to come here. */
export interface PageRouteRequest {
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  headers: IncomingHttpHeaders
  /** The bytes as they came: some of them are signed. */
  body: Buffer
  /** Where it comes from. */
  address: string
  /** What the visitor prefers; undefined if nothing that we speak. */
  language: Language | undefined
}

export type PageRouteResponse =
  | { kind: 'page'; html: Html; policy: string; status?: number }
  | { kind: 'json'; value: unknown; status?: number }
  /** Elsewhere, by GET, whatever brought the visitor here. */
  | { kind: 'redirect'; location: string }

/** An address that browsers visit. Nothing there knows a cookie: what a visitor may see is in the address. */
export interface PageRoute<Needs> {
  method: 'GET' | 'POST'
  url: string
  /** Whether banks' servers and banks' pages come here: nobody who does is refused for coming often. */
  fromBanks?: boolean
  handle(services: Needs, request: PageRouteRequest): Promise<PageRouteResponse>
}
