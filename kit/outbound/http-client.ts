import type { Agent, ClientRequest, IncomingMessage } from 'node:http'
import type { Clock } from '../runtime/clock.ts'
import { http, https } from '../runtime/node-http.ts'

export interface HttpRequest {
  method: 'GET' | 'POST'
  url: string
  headers?: Record<string, string>
  body?: string
  /** Time limit for the whole response. */
  timeoutMs: number
  /** Aborts the request earlier. */
  signal?: AbortSignal
}

export interface HttpResponse {
  status: number
  headers: Headers
  body: Buffer
}

/**
 * The only way to send a request. Connectors receive it as a parameter; tests pass one that fails as needed.
 */
export interface HttpClient {
  /** Returns every response. Throws NoHttpResponse if there is none, it comes too late or it is too large. */
  send(request: HttpRequest): Promise<HttpResponse>
}

export class NoHttpResponse extends Error {
  override readonly name = 'NoHttpResponse'
  /** False only if the server certainly did not receive the request: no connection was ever established. */
  readonly mayHaveArrived: boolean

  constructor(message: string, options: { mayHaveArrived: boolean; cause?: unknown }) {
    super(message, { cause: options.cause })
    this.mayHaveArrived = options.mayHaveArrived
  }
}

/** Larger than any bank's response. */
const largestAnswer = 1024 * 1024

/**
 * Sends requests over the network. Guarantee: a request is sent once, whatever the response. The standard `fetch`
 * repeats a request answered with 421, or sent on a kept connection that the server was closing. Redirects are
 * not followed: configuration, not the server, decides whom we call.
 */
export function networkHttpClient(clock: Clock): HttpClient {
  const agents = {
    http: new http.Agent(keeping),
    https: new https.Agent({ ...keeping, maxCachedSessions: 0 }),
  }
  return {
    send: async (outgoing) => {
      const exchange = new Exchange(outgoing, agents)
      return settledInTime(clock, outgoing, exchange.answer, {
        onTimeout: () => exchange.giveUp(`no answer within ${outgoing.timeoutMs} ms`),
        onAbort: () => exchange.giveUp('the service is stopping'),
      })
    },
  }
}

/**
 * Connections are kept, because a new one costs more than the request. A kept connection that breaks before a
 * response leaves an unknown outcome. So we close an idle one before servers do: many wait for five seconds.
 * Node closes one on which the server sends something unasked. Callers check that a response is about their request.
 */
const keeping = { keepAlive: true, timeout: 4_000, maxFreeSockets: 20 }

/** The result, which the handlers settle after the time limit and as soon as the signal is aborted. */
export async function settledInTime<Result>(
  clock: Clock,
  { timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal },
  result: Promise<Result>,
  { onTimeout, onAbort }: { onTimeout(): void; onAbort(): void },
): Promise<Result> {
  const cancelTimer = clock.startTimer(timeoutMs, onTimeout)
  signal?.addEventListener('abort', onAbort)
  if (signal?.aborted) onAbort()
  try {
    return await result
  } finally {
    cancelTimer()
    signal?.removeEventListener('abort', onAbort)
  }
}

/** A client whose requests also end when the signal is aborted. */
export function abortableHttpClient(inner: HttpClient, signal: AbortSignal): HttpClient {
  return { send: (outgoing) => inner.send({ ...outgoing, signal }) }
}

class Exchange {
  readonly answer: Promise<HttpResponse>
  readonly #request: ClientRequest
  readonly #settled = Promise.withResolvers<HttpResponse>()
  /** True once a connection was established; with TLS, once the certificate was verified. */
  #isConnected = false

  constructor({ method, url, headers, body }: HttpRequest, agents: { http: Agent; https: Agent }) {
    this.answer = this.#settled.promise
    const isSecure = url.startsWith('https:')
    const options = {
      method,
      agent: isSecure ? agents.https : agents.http,
      headers: headersOf(headers, body),
    }
    this.#request = isSecure ? https.request(url, options) : http.request(url, options)
    this.#request.on('socket', (socket) => {
      if (this.#request.reusedSocket) this.#isConnected = true
      else
        socket.once(isSecure ? 'secureConnect' : 'connect', () => {
          this.#isConnected = true
        })
    })
    this.#request.on('response', (response) => this.#read(response))
    // A response that is not HTTP, or that switches protocols, counts as no response.
    this.#request.on('upgrade', (_response, socket) => {
      socket.destroy()
      this.giveUp('the other side switched to another protocol')
    })
    this.#request.on('error', (error) => this.#fail(error))
    this.#request.end(body)
  }

  giveUp(why: string): void {
    this.#settled.reject(new NoHttpResponse(why, { mayHaveArrived: this.#isConnected }))
    this.#request.destroy()
  }

  #read(response: IncomingMessage): void {
    const parts: Buffer[] = []
    let length = 0
    response.on('data', (part: Buffer) => {
      length += part.length
      if (length > largestAnswer) this.giveUp('the answer is too large')
      else parts.push(part)
    })
    response.on('error', (error) => this.#fail(error))
    response.on('end', () => {
      const { statusCode: status = 0, headersDistinct } = response
      const headers = new Headers()
      for (const [name, values = []] of Object.entries(headersDistinct))
        for (const value of values) headers.append(name, value)
      this.#settled.resolve({ status, headers, body: Buffer.concat(parts) })
    })
  }

  #fail(error: Error): void {
    const why = codesIn(error).join(', ') || 'the connection broke'
    this.#settled.reject(new NoHttpResponse(why, { mayHaveArrived: this.#isConnected, cause: error }))
  }
}

function headersOf(headers: Record<string, string> = {}, body: string | undefined): Record<string, string> {
  // Without a length the body would be sent in chunks, which some banks cannot read.
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  return { 'accept-encoding': 'identity', ...headers, ...length }
}

/** Error codes; for a host with several addresses, one for each failed address. */
export function codesIn(error: unknown): string[] {
  if (!(error instanceof Error)) return []
  if (error instanceof AggregateError) return error.errors.flatMap(codesIn)
  if ('code' in error && typeof error.code === 'string') return [error.code]
  return codesIn(error.cause)
}
