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
    /** Once it is known who calls. */
    merchantId: number | undefined
    merchantLanguage: Language | undefined
    /** The route's pattern, for the log and the metrics: the address itself may hold anything. */
    pattern: string | undefined
    /** Whether the log tells of it already: of many alike it has one line. */
    isLogSuppressed: boolean
  }
}

export interface WebAppOptions {
  log: Log
  random: Random
  trustedProxies: readonly string[]
  /** The headers that every answer carries. */
  headers: Readonly<Record<string, string>>
  /** True once the process is about to end: what arrives now is told to come back. */
  isClosing(): boolean
  /** True while no time is known that could be relied on: then nothing but health is answered. */
  isClockUnreliable?(): boolean
  /** Told of every answer. */
  observe(method: string, pattern: string, status: number, seconds: number): void
  /** What a person sees of an error whose browser asked for a page. Without it everyone gets the envelope. */
  failurePage?(status: number, language: Language): string
}

export const bodyLimit = 256 * 1024
const maxParamLength = 20_000
const requestTimeoutMs = 30_000
/** Less than that of the whole: of the two Node takes the longer one for the whole. */
const headersTimeoutMs = 20_000

/** A web app with the frame that all of ours share: request ids, limits, one answer for every error, one log line. */
export function webApp(options: WebAppOptions): FastifyInstance {
  const newRequestId = requestIdGenerator(options.random)
  const app = Fastify({
    logger: false,
    schemaController: noSchemaController,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    bodyLimit,
    requestTimeout: requestTimeoutMs,
    http: { connectionsCheckingInterval: 1_000, headersTimeout: headersTimeoutMs },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    genReqId: (request) => newRequestId(request.headers['x-request-id']),
    // The query is read by the route that wants it, with the same reader as a form; here it stays as it came.
    // An id may be as long as an address: it is the id of nothing all the same.
    routerOptions: { querystringParser: (text) => text as never, maxParamLength },
    frameworkErrors: (error, request, reply) => {
      reply.headers(options.headers).header('x-request-id', request.id)
      answerError(options, error, request, reply)
      logAnswer(options, request, reply)
    },
    clientErrorHandler: (error, socket) =>
      answerBrokenRequest(options.log, newRequestId(undefined), error, socket),
  })
  // Of the methods that Node reads, Fastify knows some; a known address must refuse the others with 405 too.
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

/** Without this Fastify loads a hundred modules to check requests and to write answers by schemas of its own. */
export const noSchemaController = {
  compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler },
}

/**
 * Answers a request that no route takes: 405 with the methods that the address takes, or 404. The addresses have a
 * router of their own, because a route for each of Node's methods at each address took most of the time of a start.
 */
function refuseOtherRequests(app: FastifyInstance): void {
  const addresses = findMyWay({ maxParamLength })
  const known = new Map<string, string[]>()
  app.addHook('onRoute', ({ method, url }) => {
    const methods = known.get(url) ?? []
    if (methods.length === 0) addresses.on('GET', url, () => undefined, { url, methods })
    known.set(url, methods)
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

/** A request without a body may say anything about its type; Fastify would refuse types it cannot parse. */
function forgetTypeOfNothing({ raw: { headers } }: FastifyRequest): void {
  if (headers['content-type'] === undefined) return
  if (headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0') {
    headers['content-type'] = undefined
  }
}

export function requestLanguage(request: FastifyRequest): Language {
  return preferredLanguage(request.headers['accept-language']) ?? request.merchantLanguage ?? defaultLanguage
}

/** Where the request comes from. A trusted proxy may still pass on what is no address at all. */
export function clientAddressOf(request: FastifyRequest): string {
  return isIP(request.ip) ? request.ip : (request.socket.remoteAddress ?? '')
}

/** Whether a header was sent more than once: of some Node keeps the first, the others it joins, and tells neither. */
export function isHeaderRepeated({ raw: { rawHeaders } }: FastifyRequest, name: string): boolean {
  let times = 0
  // Names and values in turn. Nearly all differ in length, which is quicker to see than their letters.
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index]
    if (sent?.length === name.length && sent.toLowerCase() === name) times++
  }
  return times > 1
}

/** The one place where an error becomes an answer. */
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
  // Whoever hung up in the middle of a request will not read the answer.
  if (code === 'ECONNRESET') return new Refused(unreadableRequest)
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new Refused(bodyTooLarge)
  // What Fastify itself refuses before our code is reached: broken lengths, broken addresses.
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

/** What is not even HTTP never becomes a request; it is answered on the bare socket, in the same form. */
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
  // Whoever sends such things may also never hang up.
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
}
