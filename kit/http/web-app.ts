import type { Socket } from 'node:net'
import { isIP } from 'node:net'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Fastify from 'fastify'
import findMyWay from 'find-my-way'
import {
  bodyTooLarge,
  internalError,
  methodNotAllowed,
  noSuchRoute,
  Refused,
  serviceUnavailable,
  unauthenticated,
  unreadableRequest,
} from '../input/refusals.ts'
import type { Log } from '../runtime/log.ts'
import { http } from '../runtime/node-http.ts'
import { DatabaseUnavailable } from '../runtime/sql.ts'
import type { Random } from '../security/random.ts'
import type { Language } from '../text/locale.ts'
import { defaultLanguage, preferredLanguage } from '../text/locale.ts'
import { isHealthRequest } from './health.ts'
import { requestIdGenerator } from './request-id.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the caller is authenticated. */
    merchantId: number | undefined
    merchantLanguage: Language | undefined
    /**
     * The route's pattern, for the log and the metrics. The address itself is not used: it can hold anything.
     */
    pattern: string | undefined
    /** True if the log already has a line for it: many equal events share one line. */
    isLogSuppressed: boolean
  }
}

export interface WebAppOptions {
  log: Log
  random: Random
  trustedProxies: readonly string[]
  headers: Readonly<Record<string, string>>
  /** True once the process is shutting down. New requests are then refused with a time to retry. */
  isClosing(): boolean
  /** True while the clock cannot be trusted. Only health checks are answered then. */
  isClockUnreliable?(): boolean
  observe(method: string, pattern: string, status: number, seconds: number): void
  /** Error page for a browser that asked for a page. Without it every caller gets the envelope. */
  failurePage?(status: number, language: Language): string
}

export const bodyLimit = 256 * 1024
const maxParamLength = 20_000
const requestTimeoutMs = 30_000
/** Shorter than the limit for the whole request: Node applies the longer of the two to the whole. */
const headersTimeoutMs = 20_000

/**
 * A web app with the parts that all apps share: request ids, limits, one error handler, one log line per
 * request.
 */
export function webApp(options: WebAppOptions): FastifyInstance {
  const newRequestId = requestIdGenerator(options.random)
  const app = Fastify({
    logger: false,
    schemaController: noSchemaController,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    bodyLimit,
    requestTimeout: requestTimeoutMs,
    // Without the last option Node prepares to read the body of a GET request, which has none.
    http: {
      connectionsCheckingInterval: 1_000,
      headersTimeout: headersTimeoutMs,
      optimizeEmptyRequests: true,
    },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    genReqId: (request) => newRequestId(request.headers['x-request-id']),
    // The route parses the query with the form parser, so the query stays raw here. An id may be as long as
    // an address; an unknown id of any length is answered as unknown.
    routerOptions: { querystringParser: (text) => text as never, maxParamLength },
    frameworkErrors: (error, request, reply) => {
      reply.headers(options.headers).header('x-request-id', request.id)
      answerError(options, error, request, reply)
      logAnswer(options, request, reply)
    },
    clientErrorHandler: (error, socket) =>
      answerBrokenRequest(options.log, newRequestId(undefined), error, socket),
  })
  // Node parses more methods than Fastify knows. A known address must refuse those with 405 too.
  for (const method of http.METHODS) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method)
  app.decorateRequest('merchantId', undefined)
  app.decorateRequest('merchantLanguage', undefined)
  app.decorateRequest('pattern', undefined)
  app.decorateRequest('isLogSuppressed', false)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(options.headers)
    reply.header('x-request-id', request.id)
    forgetTypeOfNothing(request)
    const isClosing = options.isClosing()
    if (isClosing) reply.header('connection', 'close')
    if (isClosing || (options.isClockUnreliable?.() && !isHealthRequest(request)))
      return done(new Refused(serviceUnavailable, { retryAfterS: 1 }))
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    logAnswer(options, request, reply)
    done()
  })
  app.setErrorHandler((error, request, reply) => answerError(options, error, request, reply))
  refuseOtherRequests(app)
  return app
}

function noCompiler(): never {
  throw new Error(
    'requests are checked by kit/input/parse-input.ts, answers are written by server/request-pipeline.ts',
  )
}

/** Without this Fastify loads a hundred modules for its own schema validation and serialisation. */
export const noSchemaController = {
  compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler },
}

/**
 * Answers a request without a route: 405 with the allowed methods if the address is known, else 404. The
 * addresses have a separate router, because a route per method and address took most of the start-up time.
 */
function refuseOtherRequests(app: FastifyInstance): void {
  const addresses = findMyWay({ maxParamLength })
  const known = new Map<string, string[]>()
  app.addHook('onRoute', ({ method, url }) => {
    const methods = known.getOrInsertComputed(url, () => [])
    if (methods.length === 0) addresses.on('GET', url, () => undefined, { url, methods })
    methods.push(...[method].flat())
  })
  app.setNotFoundHandler((request, reply) => {
    const found = addresses.find('GET', request.url)
    if (!found) throw new Refused(noSuchRoute)
    const { url, methods } = found.store as { url: string; methods: string[] }
    request.pattern = url
    reply.header('allow', methods.join(', '))
    throw new Refused(methodNotAllowed)
  })
}

/** A request without a body may have any content type; Fastify would refuse types that it cannot parse. */
function forgetTypeOfNothing({ raw: { headers } }: FastifyRequest): void {
  if (headers['content-type'] === undefined) return
  if (headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0') {
    headers['content-type'] = undefined
  }
}

export function requestLanguage(request: FastifyRequest): Language {
  return preferredLanguage(request.headers['accept-language']) ?? request.merchantLanguage ?? defaultLanguage
}

/** IP address of the client. A trusted proxy can still pass on a value that is not an address. */
export function clientAddressOf(request: FastifyRequest): string {
  const { remoteAddress = '' } = request.socket
  return request.ip === remoteAddress || isIP(request.ip) ? request.ip : remoteAddress
}

/**
 * True if the header was sent more than once. Node keeps the first of some headers and joins others, without
 * reporting it.
 */
export function isHeaderRepeated({ raw: { rawHeaders } }: FastifyRequest, name: string): boolean {
  let times = 0
  // Names and values alternate. Most names differ in length, and comparing lengths is faster than comparing
  // letters.
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index]
    if (sent?.length === name.length && sent.toLowerCase() === name) times++
  }
  return times > 1
}

/** The only place that turns an error into a response. */
function answerError(
  { log, failurePage }: WebAppOptions,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const refused = asRefused(error)
  if (refused.refusal === internalError)
    log.error({ err: error, request_id: request.id }, 'a request failed with an internal error; answered 500')
  if (refused.refusal === serviceUnavailable)
    log.warn({ err: error, request_id: request.id }, 'a request could not be served; answered 503')
  if (refused.retryAfterS !== undefined) reply.header('retry-after', refused.retryAfterS)
  if (refused.refusal.status === unauthenticated.status) reply.header('www-authenticate', 'Bearer')
  reply.code(refused.refusal.status)
  if (failurePage && request.headers.accept?.includes('text/html')) {
    reply.type('text/html; charset=utf-8').send(failurePage(refused.refusal.status, requestLanguage(request)))
    return
  }
  reply
    .type('application/json; charset=utf-8')
    .send(failureText(refused, requestLanguage(request), request.id))
}

function asRefused(error: unknown): Refused {
  if (error instanceof Refused) return error
  if (error instanceof DatabaseUnavailable) return new Refused(serviceUnavailable, { retryAfterS: 2 })
  const { code, statusCode } = error as Partial<FastifyError>
  // A client that disconnected during its request does not read the response.
  if (code === 'ECONNRESET') return new Refused(unreadableRequest)
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new Refused(bodyTooLarge)
  // Requests that Fastify refuses before our code runs: wrong lengths, malformed addresses.
  if (code?.startsWith('FST_ERR_') && statusCode && statusCode < 500) return new Refused(unreadableRequest)
  return new Refused(internalError)
}

function failureText(refused: Refused, language: Language, requestId: string): string {
  const { refusal, complaints, because } = refused
  const named = [...(complaints ?? [])].map(([name, sentences]) => [
    name,
    sentences.map((each) => each[language]),
  ])
  return JSON.stringify({
    status: false,
    message: [refusal[language], refusal === internalError ? requestId : because?.[language]]
      .filter(Boolean)
      .join(' '),
    errors: complaints ? Object.fromEntries(named) : [],
    error_code: refusal.code,
    data: null,
  })
}

function logAnswer(options: WebAppOptions, request: FastifyRequest, reply: FastifyReply): void {
  const durationMs = reply.elapsedTime
  const { method, pattern = 'none' } = request
  options.observe(method, pattern, reply.statusCode, durationMs / 1000)
  if (request.isLogSuppressed) return
  options.log.info(
    {
      request_id: request.id,
      merchant_id: request.merchantId,
      method,
      route: pattern,
      status: reply.statusCode,
      duration_ms: Math.round(durationMs * 100) / 100,
      address: clientAddressOf(request),
    },
    'request',
  )
}

/**
 * Input that is not valid HTTP never becomes a request. It is answered on the socket itself, in the same
 * form.
 */
function answerBrokenRequest(log: Log, id: string, error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return
  const status = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }[error.code ?? ''] ?? 400
  const body = failureText(new Refused(unreadableRequest), defaultLanguage, id)
  const head = [
    `HTTP/1.1 ${status} ${http.STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${id}`,
    'cache-control: no-store',
    'x-content-type-options: nosniff',
    'connection: close',
  ]
  log.info({ request_id: id, route: 'none', status, code: error.code }, 'request')
  // The client may also never close the connection.
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
}
