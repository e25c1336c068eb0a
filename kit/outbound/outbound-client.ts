/** Request to an address that a merchant gave. */
export interface OutboundRequest {
  url: string
  headers: Readonly<Record<string, string>>
  body: string
  /** True if the address may be a loopback address of this machine. */
  allowsLoopback: boolean
  /** Aborts the request before its time limit. */
  signal?: AbortSignal
}

/**
 * Reasons for an incomplete response. `name_not_found` includes a silent name server, `connection_refused`
 * every failure to connect, and `not_http` every unreadable response.
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

/** Result of a request. A response that broke off has both a status and a fault. */
export interface OutboundResult {
  status: number | null
  /** `ending` if we aborted the request before its time limit. */
  fault: OutboundFault | 'ending' | null
  /** Beginning of the response body. */
  body: Buffer
  /** Raw `Retry-After` of the response. */
  retryAfter: string | null
}

export interface OutboundClient {
  /**
   * Posts the request. Every network failure is in the result; it throws only for invalid headers, which is a
   * bug. Guarantees: the address that was checked is the one that is dialled; no redirect is followed; it
   * ends within fifteen seconds and reads at most 20 000 bytes of a body. The request is sent once; if the
   * server had already closed the kept connection, it is sent once more.
   */
  send(request: OutboundRequest): Promise<OutboundResult>
  /** Closes idle connections and keeps none from then on. Requests under way are completed. */
  close(): void
}
