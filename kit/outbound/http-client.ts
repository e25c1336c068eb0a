import type { ClientRequest, IncomingMessage } from 'node:http'
import type { Clock } from '../runtime/clock.ts'
import { http, https } from '../runtime/node-http.ts'

/** A request to somebody else's server. */
export interface HttpRequest {
  method: 'GET' | 'POST'
  url: string
  headers?: Record<string, string>
  body?: string
  /** How long the whole answer may take. */
  timeoutMs: number
  /** Ends it before that. */
  signal?: AbortSignal
}

export interface HttpResponse {
  status: number
  headers: Headers
  body: Buffer
}

/** The only way out. Connectors are handed it, and tests hand in one that fails as they like. */
export interface HttpClient {
  /** Answers whatever the other side answered; throws a NoHttpResponse when it did not, not in time, or too much. */
  send(request: HttpRequest): Promise<HttpResponse>
}

/** There was no whole answer. */
export class NoHttpResponse extends Error {
  override readonly name = 'NoHttpResponse'
  /** False only if it is certain that the other side has not got the request: no connection to it ever stood. */
  readonly mayHaveArrived: boolean

  constructor(message: string, options: { mayHaveArrived: boolean; cause?: unknown }) {
    super(message, { cause: options.cause })
    this.mayHaveArrived = options.mayHaveArrived
  }
}

/** No bank says more than this. */
const largestAnswer = 1024 * 1024

/**
 * Goes out to the network. Guarantee: a request is sent once, whatever is answered, on a connection of its own; the
 * standard `fetch` repeats what is answered with 421, and a connection that is kept may be closed by the other side just
 * as it is used again. Redirects are not followed: who we speak to is written down and not told by the other side.
 */
export function networkHttpClient(clock: Clock): HttpClient {
  return {
    send: async (outgoing) => {
      const settled = new AbortController()
      const exchange = new Exchange(outgoing)
      const late = clock.sleep(outgoing.timeoutMs, settled.signal).then(
        () => exchange.giveUp(`no answer within ${outgoing.timeoutMs} ms`),
        () => undefined,
      )
      const giveUp = () => exchange.giveUp('we are ending')
      outgoing.signal?.addEventListener('abort', giveUp)
      if (outgoing.signal?.aborted) giveUp()
      try {
        return await exchange.answer
      } finally {
        settled.abort()
        outgoing.signal?.removeEventListener('abort', giveUp)
        await late
      }
    },
  }
}

/** The same, each request ended when the signal is. */
export function abortableHttpClient(inner: HttpClient, signal: AbortSignal): HttpClient {
  return { send: (outgoing) => inner.send({ ...outgoing, signal }) }
}

/** One request and its answer. */
class Exchange {
  readonly answer: Promise<HttpResponse>
  readonly #request: ClientRequest
  readonly #settled = Promise.withResolvers<HttpResponse>()
  /** Whether a connection stood that the request could go out on; with TLS, to somebody whom we believe. */
  #isConnected = false

  constructor({ method, url, headers, body }: HttpRequest) {
    this.answer = this.#settled.promise
    const isSecure = url.startsWith('https:')
    const options = { method, agent: false, headers: headersOf(headers, body) }
    this.#request = isSecure ? https.request(url, options) : http.request(url, options)
    this.#request.on('socket', (socket) =>
      socket.on(isSecure ? 'secureConnect' : 'connect', () => {
        this.#isConnected = true
      }),
    )
    this.#request.on('response', (response) => this.#read(response))
    // What is answered instead of HTTP, or switches to something else, is no answer.
    this.#request.on('upgrade', (_response, socket) => {
      socket.destroy()
      this.giveUp('the other side wants to speak of something else')
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
  // Without its length a body would be sent in chunks, which not every bank can read.
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  return { 'accept-encoding': 'identity', ...headers, ...length, connection: 'close' }
}

/** What went wrong stands in the code, or, of a host with several addresses, in the codes of what went wrong with each. */
function codesIn(error: unknown): string[] {
  if (!(error instanceof Error)) return []
  if (error instanceof AggregateError) return error.errors.flatMap(codesIn)
  if ('code' in error && typeof error.code === 'string') return [error.code]
  return codesIn(error.cause)
}
