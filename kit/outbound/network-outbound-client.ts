import type { Agent, ClientRequest, IncomingMessage } from 'node:http'
import type { LookupFunction, Socket } from 'node:net'
import { isIP } from 'node:net'
import type { Clock } from '../runtime/clock.ts'
import { http, https } from '../runtime/node-http.ts'
import type { DnsResolver } from './dns-resolver.ts'
import { dnsResolver } from './dns-resolver.ts'
import { codesIn, settledInTime } from './http-client.ts'
import type { OutboundClient, OutboundFault, OutboundRequest, OutboundResult } from './outbound-client.ts'
import { isLoopbackAddress, isPublicAddress } from './public-address.ts'

/** Time limit of a request, from the name lookup to the end of the response. */
const timeoutMs = 15_000
/** Bytes kept of a response body. */
const maxAnswer = 20_000
/** Interim responses (1xx) that are skipped. A server that sends more counts as faulty. */
const maxInterim = 16
/** Addresses dialled per family. A name with thousands of addresses must not make us dial them all. */
const maxAddresses = 4

/** Network that the outbound client uses. Tests pass their own. */
export interface OutboundNetworkOptions {
  dns?: DnsResolver
  /** Trusted certificate authorities, instead of Node's. */
  ca?: string
}

export function networkOutboundClient(
  clock: Clock,
  { dns = dnsResolver(), ca }: OutboundNetworkOptions = {},
): OutboundClient {
  const publicPool = new ConnectionPool(dns, ca, isPublicAddress)
  const loopbackPool = new ConnectionPool(
    dns,
    ca,
    (address) => isPublicAddress(address) || isLoopbackAddress(address),
  )
  return {
    send: async (request) => {
      const pool = request.allowsLoopback ? loopbackPool : publicPool
      const url = URL.parse(request.url)
      if (url === null || !mayBeCalled(url, pool)) return unanswered('address_not_allowed')
      if (request.signal?.aborted) return unanswered('ending')
      const exchange = new Exchange(request, url, pool)
      return settledInTime(clock, { ...request, timeoutMs }, exchange.result, {
        onTimeout: () => exchange.end('timeout'),
        onAbort: () => exchange.end('ending'),
      })
    },
    close: () => {
      publicPool.close()
      loopbackPool.close()
      dns.close()
    },
  }
}

/**
 * Connections for requests with the same allowed addresses. Guarantee: requests with different allowed
 * addresses never share a connection.
 */
class ConnectionPool {
  readonly mayGoTo: (address: string) => boolean
  readonly #keepAlive: Record<string, Agent>
  readonly #single: Record<string, Agent>

  constructor(dns: DnsResolver, ca: string | undefined, mayGoTo: (address: string) => boolean) {
    this.mayGoTo = mayGoTo
    const options = {
      lookup: checkedLookup(dns, mayGoTo),
      autoSelectFamily: true,
      // Node's default of 250 ms is too short for a connection to the other side of the world.
      autoSelectFamilyAttemptTimeout: 2_500,
    }
    const trust = {
      rejectUnauthorized: true,
      // A resumed TLS session is not compared with the host name again.
      maxCachedSessions: 0,
      ...(ca === undefined ? {} : { ca }),
    }
    const keeping = {
      keepAlive: true,
      // Callers limit the number of requests under way. A limit here would be per host: one caller's slow
      // requests to a shared host would make other callers' requests wait until they time out.
      maxSockets: Number.POSITIVE_INFINITY,
      // Requests to one address at the same time. A connection that is not kept costs a new TCP and TLS
      // handshake.
      maxFreeSockets: 20,
      // Many servers close an idle connection after five seconds. We close it earlier, so that no request
      // meets the close.
      timeout: 4_000,
    }
    this.#keepAlive = {
      'http:': new http.Agent({ ...options, ...keeping }),
      'https:': new https.Agent({ ...options, ...keeping, ...trust }),
    }
    this.#single = { 'http:': new http.Agent(options), 'https:': new https.Agent({ ...options, ...trust }) }
  }

  agentFor({ protocol }: URL, connection: 'kept' | 'single'): Agent {
    const agent = (connection === 'kept' ? this.#keepAlive : this.#single)[protocol]
    if (!agent) throw new Error(`outbound requests are http or https, not ${protocol}`)
    return agent
  }

  /** Connections in use are closed after their requests. */
  close(): void {
    for (const agent of Object.values(this.#keepAlive)) {
      agent.keepSocketAlive = () => false
      for (const sockets of Object.values(agent.freeSockets))
        for (const socket of sockets ?? []) socket.destroy()
    }
  }
}

/** Reason for a failure, where it is more precise than Node's. */
class OutboundError extends Error {
  override readonly name = 'OutboundError'
  readonly fault: OutboundFault

  constructor(fault: OutboundFault) {
    super(fault)
    this.fault = fault
  }
}

/** Node's client connects only to the addresses returned here, so the checked address is the dialled one. */
function checkedLookup(dns: DnsResolver, mayGoTo: (address: string) => boolean): LookupFunction {
  return (host, _options, done) => {
    dns.addressesOf(host).then(
      (addresses) => {
        if (addresses.length === 0) done(new OutboundError('name_not_found'), [])
        else if (!addresses.every(mayGoTo)) done(new OutboundError('address_not_allowed'), [])
        else done(null, toDial(addresses))
      },
      () => done(new OutboundError('name_not_found'), []),
    )
  }
}

function toDial(addresses: readonly string[]): { address: string; family: number }[] {
  return [4, 6].flatMap((family) =>
    addresses
      .filter((address) => isIP(address) === family)
      .slice(0, maxAddresses)
      .map((address) => ({ address, family })),
  )
}

/** True if the request may be sent. A numeric host is never looked up, so it is checked here. */
function mayBeCalled({ protocol, username, password, port, hostname }: URL, pool: ConnectionPool): boolean {
  if (protocol !== 'http:' && protocol !== 'https:') return false
  if (username !== '' || password !== '') return false
  if (!['', '80', '443'].includes(port) && Number(port) < 1024) return false
  const host = hostWithoutBrackets(hostname)
  return isIP(host) === 0 || pool.mayGoTo(host)
}

/** Only an IPv6 address has brackets. */
function hostWithoutBrackets(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
}

function unanswered(fault: OutboundResult['fault']): OutboundResult {
  return { status: null, fault, body: Buffer.alloc(0), retryAfter: null }
}

class Exchange {
  readonly result: Promise<OutboundResult>
  readonly #settled = Promise.withResolvers<OutboundResult>()
  readonly #outbound: OutboundRequest
  readonly #url: URL
  readonly #pool: ConnectionPool
  #request: ClientRequest
  #stage: Stage = 'dialling'
  /** Bytes read on the connection before this request. */
  #readBefore = 0
  #isRepeated = false
  #isOver = false
  #status: number | null = null
  #retryAfter: string | null = null
  #parts: Buffer[] = []
  #length = 0
  #interim = 0

  constructor(request: OutboundRequest, url: URL, pool: ConnectionPool) {
    this.result = this.#settled.promise
    this.#outbound = request
    this.#url = url
    this.#pool = pool
    this.#request = this.#post('kept')
  }

  /** Ends the request; later data is ignored. */
  end(fault: OutboundResult['fault']): void {
    if (this.#isOver) return
    this.#settle(fault)
    this.#request.destroy()
    // Node 26 keeps the connection of a destroyed request whose response was complete.
    this.#request.socket?.destroy()
  }

  #post(connection: 'kept' | 'single'): ClientRequest {
    const { headers, body } = this.#outbound
    const { protocol, hostname, port, pathname, search, host } = this.#url
    const send = protocol === 'https:' ? https.request : http.request
    // Node takes twice the time for a request that is given a URL.
    const request = send({
      host: hostWithoutBrackets(hostname),
      port,
      path: pathname + search,
      method: 'POST',
      agent: this.#pool.agentFor(this.#url, connection),
      headers: {
        ...headers,
        host,
        'accept-encoding': 'identity',
        'content-length': String(Buffer.byteLength(body)),
      },
    })
    request.on('socket', (socket) => this.#watch(socket))
    request.on('information', () => {
      this.#interim += 1
      if (this.#interim > maxInterim) this.end('not_http')
    })
    request.on('upgrade', (_response, socket) => {
      socket.destroy()
      this.end('not_http')
    })
    request.on('response', (response) => this.#read(response))
    request.on('error', (error) => this.#fail(error))
    request.end(body)
    return request
  }

  /** Tracks the stage of the connection and stops a request before it is sent to a forbidden address. */
  #watch(socket: Socket): void {
    const isSecure = this.#url.protocol === 'https:'
    this.#readBefore = socket.bytesRead
    this.#stage = socket.connecting ? 'dialling' : 'open'
    if (!socket.connecting) {
      this.#checkPeer(socket)
      return
    }
    // Runs before the other listeners, which begin to write.
    socket.prependOnceListener('connect', () => {
      this.#stage = isSecure ? 'securing' : 'open'
      this.#checkPeer(socket)
    })
    if (isSecure)
      socket.once('secureConnect', () => {
        this.#stage = 'open'
      })
  }

  #checkPeer(socket: Socket): void {
    const address = socket.remoteAddress
    // Without an address the server is gone already.
    if (address === undefined) socket.destroy()
    else if (!this.#pool.mayGoTo(address)) socket.destroy(new OutboundError('address_not_allowed'))
  }

  #read(response: IncomingMessage): void {
    this.#status = response.statusCode ?? null
    this.#retryAfter = response.headers['retry-after'] ?? null
    response.on('data', (part: Buffer) => {
      if (this.#isOver) return
      const room = maxAnswer - this.#length
      this.#parts.push(part.subarray(0, room))
      this.#length += part.length
      if (part.length > room) this.end(null)
    })
    response.on('error', (error) => this.#fail(error))
    response.on('end', () => {
      // A server that responds before it has read the request would block the connection.
      if (this.#request.writableFinished) this.#settle(null)
      else this.end(null)
    })
  }

  #fail(error: Error): void {
    if (this.#isOver) return
    if (this.#wasClosedBefore(error)) {
      this.#isRepeated = true
      this.#request = this.#post('single')
    } else this.end(faultOf(error, this.#stage))
  }

  /**
   * True if the server had closed a kept connection before the request was sent. The request is then sent
   * once more.
   */
  #wasClosedBefore(error: Error): boolean {
    const { reusedSocket, socket } = this.#request
    if (!reusedSocket || this.#isRepeated || socket?.bytesRead !== this.#readBefore) return false
    return codesIn(error).some((code) => code === 'ECONNRESET' || code === 'EPIPE')
  }

  #settle(fault: OutboundResult['fault']): void {
    this.#isOver = true
    const answer = Buffer.concat(this.#parts)
    this.#parts = []
    this.#settled.resolve({ status: this.#status, fault, body: answer, retryAfter: this.#retryAfter })
  }
}

/** Stage of a connection: connecting, TLS handshake, or ready for the request. */
type Stage = 'dialling' | 'securing' | 'open'

function faultOf(error: Error, stage: Stage): OutboundFault {
  if (error instanceof OutboundError) return error.fault
  const codes = codesIn(error)
  if (stage === 'dialling')
    return codes.includes('ETIMEDOUT') && !codes.includes('ECONNREFUSED') ? 'timeout' : 'connection_refused'
  if (codes.some((code) => code.startsWith('HPE_'))) return 'not_http'
  const isBroken = codes.some((code) => ['ECONNRESET', 'EPIPE', 'ETIMEDOUT'].includes(code))
  if (stage === 'securing') return isBroken ? 'connection_reset' : 'tls_failed'
  return codes.some((code) => code.startsWith('ERR_SSL_')) ? 'tls_failed' : 'connection_reset'
}
