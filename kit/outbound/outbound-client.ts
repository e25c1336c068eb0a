/** Request to an address that somebody gave us. */
export interface OutboundRequest {
  url: string
  headers: Readonly<Record<string, string>>
  body: string
  /** Whether the address may be one of this machine itself. */
  allowsLoopback: boolean
  /** Ends it before its time is up. */
  signal?: AbortSignal
}

/**
 * Why there is no whole answer. `name_not_found` is also said when no name server answers, `connection_refused` whenever no
 * connection comes to be, `not_http` of every answer that cannot be read as one.
 */
export const outboundFaults = [
  'timeout',
  'name_not_found',
  'address_not_allowed',
  'connection_refused',
  'connection_reset',
  'tls_failed',
  'not_http',
] as const

export type OutboundFault = (typeof outboundFaults)[number]

/** What came of it. An answer that broke off has both a status and a fault. */
export interface OutboundResult {
  status: number | null
  /** `ending` where it was we who ended it before its time was up. */
  fault: OutboundFault | 'ending' | null
  /** The beginning of the answer's body. */
  body: Buffer
  /** The `Retry-After` of the answer, as it was written. */
  retryAfter: string | null
}

/** The way out to addresses that merchants gave us. */
export interface OutboundClient {
  /**
   * Posts the request. Whatever happens on the way is in the result; it throws only for headers that cannot be written, which
   * is a bug. Guarantee: the address that was checked is the one that is dialled; no redirect is followed; it ends within
   * fifteen seconds and reads no more than 20 000 bytes of a body, however slowly they come. It is sent once, but for a kept
   * connection that the other side had let go of: then once more.
   */
  send(request: OutboundRequest): Promise<OutboundResult>
  /** Lets go of the connections that are kept, and keeps none from then on. Requests under way come to their end. */
  close(): void
}
