import { hash } from 'node:crypto'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { TObject } from 'typebox'
import type { Serialiser } from '../kit/api/response-serialiser.ts'
import { serialiserOf } from '../kit/api/response-serialiser.ts'
import type { ListPage, Route, RouteRequest } from '../kit/api/route.ts'
import { clientNetworkOf } from '../kit/http/client-network.ts'
import { RateLimiter } from '../kit/http/rate-limiter.ts'
import { clientAddressOf, isHeaderRepeated, requestLanguage } from '../kit/http/web-app.ts'
import type { RawInput } from '../kit/input/body.ts'
import { isContentTypeOneOf, parseRequestBody, parseUrlEncoded } from '../kit/input/body.ts'
import { givenMoreThanOnce } from '../kit/input/complaints.ts'
import { parseInput, parseInputPartially } from '../kit/input/parse-input.ts'
import type { Complaints } from '../kit/input/refusals.ts'
import {
  noSuchResource,
  noSuchRoute,
  Refused,
  rateLimited,
  unauthenticated,
  validationFailed,
} from '../kit/input/refusals.ts'
import { LimitedConcurrencyQueue } from '../kit/runtime/limited-concurrency-queue.ts'
import type { MaybePromise } from '../kit/runtime/maybe-promise.ts'
import { andThen, runWithCallback } from '../kit/runtime/maybe-promise.ts'
import type { RequestDeadlines } from './database/request-deadlines.ts'
import { IdempotencyHandler } from './idempotency/index.ts'
import type { Caller, Merchant, MerchantCache } from './merchants/index.ts'
import {
  AccessTokens,
  Authenticator,
  BrowserKeyWarnings,
  FailedCredentials,
  isLiveSecretKey,
} from './merchants/index.ts'
import type { Services } from './services.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined
  }
}

export type ApiRoute = Route<Services, Merchant>

type AnyRequest = RouteRequest<object, object, object, unknown>

/** Any origin may call: a preflight names no merchant. The key decides if the call itself is allowed. */
export const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'x-request-id, retry-after, idempotency-replayed, date',
}

/** Suspect lookups at the same time. Each may need a database connection, and there are few. */
const suspectsAtOnce = 4

/** Handles an API request from arrival to response, as its route describes. */
export class RequestPipeline {
  readonly #services: Services
  readonly #authenticator: Authenticator
  readonly #deadlines: RequestDeadlines
  readonly #once = new IdempotencyHandler()
  readonly #perKey: RateLimiter | undefined
  readonly #failures: FailedCredentials
  readonly #suspects = new LimitedConcurrencyQueue(suspectsAtOnce)
  readonly #waitingConnections = new WeakSet<Socket>()
  readonly #browserKeyWarnings: BrowserKeyWarnings
  readonly #counters

  constructor(services: Services, merchantCache: MerchantCache, deadlines: RequestDeadlines) {
    const { config, clock, keyring, metrics } = services
    const { rateLimitPerSecond: perSecond, rateLimitBurst: burst, failedCredentialsPerMinute } = config
    this.#services = services
    this.#authenticator = new Authenticator(merchantCache, AccessTokens.of(keyring), clock)
    this.#deadlines = deadlines
    this.#browserKeyWarnings = new BrowserKeyWarnings(services.log)
    this.#perKey = perSecond === 0 ? undefined : new RateLimiter({ burst, perSecond }, clock)
    this.#failures = new FailedCredentials(failedCredentialsPerMinute, services)
    this.#counters = {
      limited: metrics.counter('vezne_limited_requests_total', 'Requests refused by a rate limit.'),
      replayed: metrics.counter('vezne_replayed_answers_total', 'Answers repeated for an Idempotency-Key.'),
    }
  }

  mount(app: FastifyInstance, route: ApiRoute): void {
    // A body is read only after its sender was admitted. A GET has no body, so it is admitted in the handler.
    const admit = (request: FastifyRequest, reply: FastifyReply) => this.#admit(route, request, reply)
    const serialise = serialiserOf(route.answer)
    const answer = (request: FastifyRequest, reply: FastifyReply) =>
      this.#answer(route, serialise, request, reply)
    const { method, url, rawBody } = route
    if (method === 'GET')
      app.get(url, (request, reply) => andThen(admit(request, reply), () => answer(request, reply)))
    else {
      const onRequest: onRequestHookHandler = (request, reply, done) =>
        runWithCallback(
          () => admit(request, reply),
          (error) => done(error as Error),
        )
      const bodyLimit = rawBody && { bodyLimit: rawBody.maxBytes }
      app.route({ method, url, ...bodyLimit, onRequest, handler: answer })
    }
  }

  /** Authenticates the caller and checks permission and rate limit. */
  #admit(route: ApiRoute, request: FastifyRequest, reply: FastifyReply): MaybePromise<void> {
    const { authorization, origin } = request.headers
    request.pattern = route.url
    if (route.fromBrowsers && origin !== undefined && !isLiveSecretKey(authorization))
      reply.headers(corsHeaders)
    const welcome = (caller: Caller) => {
      if (origin !== undefined && route.credential === 'key') this.#browserKeyWarnings.check(caller)
      this.#welcome(request, caller)
      this.#authenticator.assertPermitted(caller, route.credential, origin)
    }
    const judge = (error: unknown): never => {
      throw this.#countFailure(error, request)
    }
    const identify = () => {
      if (isHeaderRepeated(request, 'authorization')) throw new Refused(unauthenticated)
      return this.#authenticator.identify(route.credential, authorization)
    }
    try {
      const caller = this.#isSuspect(route, request) ? this.#suspect(request, reply, identify) : identify()
      return caller instanceof Promise ? caller.then(welcome).catch(judge) : welcome(caller)
    } catch (error) {
      return judge(error)
    }
  }

  /** True if this is most likely another invalid credential. A cached valid credential is never a suspect. */
  #isSuspect({ credential }: ApiRoute, request: FastifyRequest): boolean {
    if (!this.#failures.isOverLimit(clientNetworkOf(clientAddressOf(request)))) return false
    return !this.#authenticator.remembers(credential, request.headers.authorization)
  }

  /**
   * Queues suspects, one request per connection. Further requests that a connection pipelines are answered
   * immediately and the connection is closed. Node then reads no more requests than it writes responses.
   */
  #suspect<Result>(
    { raw: { socket } }: FastifyRequest,
    reply: FastifyReply,
    identify: () => MaybePromise<Result>,
  ): MaybePromise<Result> {
    if (this.#waitingConnections.has(socket)) {
      reply.header('connection', 'close')
      return identify()
    }
    this.#waitingConnections.add(socket)
    return this.#suspects.run(identify).finally(() => this.#waitingConnections.delete(socket))
  }

  /**
   * Sets the caller and applies the rate limit before the body is read, even if the call is not permitted.
   */
  #welcome(request: FastifyRequest, caller: Caller): void {
    request.caller = caller
    request.merchantId = caller.merchant.id
    request.merchantLanguage = caller.merchant.language
    // Anyone can copy a public key, so each sender has its own limit and cannot use up the others'.
    const { id, scope } = caller.key
    const name = scope === 'secret' ? id : `${id} ${clientNetworkOf(clientAddressOf(request))}`
    const waitS = this.#perKey?.take(name) ?? 0
    if (waitS > 0) throw this.#limited(waitS)
  }

  /** Counts an invalid credential against its sender's address. Valid credentials are never limited here. */
  #countFailure(error: unknown, request: FastifyRequest): Error {
    if (!(error instanceof Refused) || error.refusal !== unauthenticated) return error as Error
    const waitS = this.#failures.count(clientNetworkOf(clientAddressOf(request)))
    if (waitS === 0) return error
    request.isLogSuppressed = true
    return this.#limited(waitS)
  }

  /**
   * A synchronous response is sent before this returns: Fastify would treat a returned reply as a promise.
   */
  #answer(
    route: ApiRoute,
    serialise: Serialiser,
    request: FastifyRequest,
    reply: FastifyReply,
  ): MaybePromise<FastifyReply | undefined> {
    const { caller } = request
    if (!caller) throw new Error('a request is answered before it was admitted')
    // A body can take long to arrive, and the key may have been revoked in the meantime.
    if (request.body !== undefined) this.#authenticator.assertNotRevoked(caller)
    const { input, idempotencyKey, complaints } = readRequest(route, request, caller)
    const within: ReadRequest['within'] = (work) => this.#deadlines.run(request, this.#services, work)
    if (complaints.size > 0) return within((services) => refuse(services, route, caller, input, complaints))
    const { rawBody } = route
    const convert =
      rawBody &&
      (async (services: Services) => {
        input.converted = await rawBody.convert(services, caller.merchant, bodyOf(request))
        // The conversion took time, and the key may have been revoked meanwhile.
        this.#authenticator.assertNotRevoked(caller)
      })
    const read = { route, serialise, caller, input, idempotencyKey, within, convert }
    return this.#perform(read, request, reply)
  }

  #perform(
    { route, serialise, caller, input, idempotencyKey: key, within, convert }: ReadRequest,
    request: FastifyRequest,
    reply: FastifyReply,
  ): MaybePromise<FastifyReply | undefined> {
    const textOf = (result: unknown) => serialise(this.#bodyOf(route, request, reply, result), input.language)
    reply.type('application/json; charset=utf-8')
    if (key !== undefined) {
      const keyed = {
        merchantId: caller.merchant.id,
        key: keyOfScope(caller, key),
        fingerprint: fingerprintOf(route, request),
      }
      const answered = this.#once.answer(
        keyed,
        async (work) => within(work),
        async (services) => textOf(await route.handle(services, caller.merchant, input)),
        async (services) => {
          const prepared = await route.prepare?.(services, caller.merchant, input)
          return prepared && { result: textOf(prepared.result), write: prepared.write }
        },
        convert,
      )
      return answered.then(({ text, replayed }) => {
        if (replayed) {
          reply.header('idempotency-replayed', 'true')
          this.#counters.replayed.inc()
        }
        return reply.send(text)
      })
    }
    const result = within((services) =>
      andThen(convert?.(services), () => route.handle(services, caller.merchant, input)),
    )
    if (result instanceof Promise) return result.then((later) => reply.send(textOf(later)))
    reply.send(textOf(result))
    return undefined
  }

  /** A list page reports the total and the next page in headers. */
  #bodyOf(
    { answer }: ApiRoute,
    { query, url }: FastifyRequest,
    reply: FastifyReply,
    result: unknown,
  ): unknown {
    if (!answer.isPage) return result
    const { items, total, next } = result as ListPage<unknown>
    reply.header('x-total-count', total)
    if (next !== undefined) {
      const nextQuery = new URLSearchParams(query as string)
      nextQuery.set('after', next)
      const path = url.split('?', 1)[0]
      reply.header('link', `<${this.#services.config.apiUrl}${path}?${nextQuery}>; rel="next"`)
    }
    return items
  }

  #limited(waitS: number): Refused {
    this.#counters.limited.inc()
    return new Refused(rateLimited, { retryAfterS: waitS })
  }
}

interface ReadRequest extends Pick<ReturnType<typeof readRequest>, 'input' | 'idempotencyKey'> {
  route: ApiRoute
  serialise: Serialiser
  caller: Caller
  /** Adds the converted body to the input. */
  convert: ((services: Services) => Promise<void>) | undefined
  /** Runs work with the services of the request, until its deadline. */
  within<Result>(work: (services: Services) => MaybePromise<Result>): MaybePromise<Result>
}

/** One refusal with all faults: those of the parameters and the route's objections. */
function refuse(
  services: Services,
  { objections }: ApiRoute,
  { merchant }: Caller,
  input: AnyRequest,
  complaints: Complaints,
): Promise<never> {
  const refusal = new Refused(validationFailed, { complaints })
  if (!objections) throw refusal
  return objections(services, merchant, input).then((more) => {
    const named = [...complaints.keys()]
    for (const [name, sentences] of more) {
      if (!named.some((known) => known === name || known.startsWith(`${name}.`)))
        complaints.set(name, sentences)
    }
    throw refusal
  })
}

const nothingSent = Buffer.alloc(0)

/** Reads every part before refusing, so that one response reports all wrong parameters. */
function readRequest(route: ApiRoute, request: FastifyRequest, { key, merchant }: Caller) {
  const complaints: Complaints = new Map()
  const type = request.headers['content-type']
  if (route.rawBody && !isContentTypeOneOf(type, route.rawBody.types))
    throw new Refused(route.rawBody.unsupportedType)
  const body = route.rawBody ? nothingSent : bodyOf(request)
  const input: AnyRequest = {
    key,
    language: requestLanguage(request),
    params: readParams(route.params, request.params as RawInput),
    query: readPart(route.query, (request.query as string | null) ?? '', complaints, parseUrlEncoded),
    body: readPart(route.body, body, complaints, (bytes) =>
      withAssumed(parseRequestBody(bytes, type), route.assumed?.(merchant, key)),
    ),
    converted: undefined,
  }
  const idempotencyKey = route.idempotent ? readIdempotencyKey(request, complaints) : undefined
  return { input, idempotencyKey, complaints }
}

function bodyOf({ body }: FastifyRequest): Buffer {
  return Buffer.isBuffer(body) ? body : nothingSent
}

/** A blank value counts as not sent. */
function withAssumed(sent: RawInput, assumed: Readonly<Record<string, string>> = {}): RawInput {
  const isLeftOut = (value: unknown) =>
    value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
  const left = Object.entries(assumed).filter(([name]) => isLeftOut(sent[name]))
  return Object.assign(sent, Object.fromEntries(left))
}

/** A malformed id is answered like an unknown one. */
function readParams(schema: TObject | undefined, raw: RawInput): object {
  if (!schema) return {}
  // A trailing slash is an unknown address, not an unknown id.
  if (Object.values(raw).includes('')) throw new Refused(noSuchRoute)
  try {
    return parseInput(schema, raw)
  } catch (error) {
    throw error instanceof Refused ? new Refused(noSuchResource) : error
  }
}

/** Parts that a route does not use must still be readable: a malformed request is always refused. */
function readPart<Sent extends { length: number }>(
  schema: TObject | undefined,
  sent: Sent,
  complaints: Complaints,
  parse: (sent: Sent) => RawInput,
): object {
  if (!schema && sent.length === 0) return {}
  const raw = parse(sent)
  if (!schema) return {}
  const { value, complaints: found } = parseInputPartially(schema, raw)
  for (const [name, sentences] of found) complaints.set(name, sentences)
  return value
}

/** A blank key is refused: ignoring it would leave the sender unprotected. */
function readIdempotencyKey(request: FastifyRequest, complaints: Complaints): string | undefined {
  const value = request.headers['idempotency-key']
  if (value === undefined) return undefined
  const isRepeated = isHeaderRepeated(request, 'idempotency-key')
  if (!isRepeated && typeof value === 'string' && value.trim() !== '' && value.length <= 255) return value
  complaints.set('Idempotency-Key', [isRepeated ? givenMoreThanOnce : wrongKeyLength])
  return undefined
}

const wrongKeyLength = {
  tr: '1 ile 255 karakter arasında olmalıdır.',
  en: 'Must be 1 to 255 characters long.',
}

/**
 * Anyone can copy a public key. Its requests get separate idempotency keys, so their sender can neither
 * occupy the backend's keys nor read its responses. The prefix is a line break, which no header can contain.
 */
function keyOfScope({ key: { scope } }: Caller, key: string): string {
  return scope === 'secret' ? key : `\n${key}`
}

/** Hash of method, path and body, and of the query if the route uses it. */
function fingerprintOf(route: ApiRoute, request: FastifyRequest): Buffer {
  const address = route.query ? request.url : request.url.split('?', 1)[0]
  const body = bodyOf(request).toString('base64')
  return hash('sha256', `${request.method} ${address}\n${body}`, 'buffer')
}
