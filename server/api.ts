import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TObject } from 'typebox'
import { idempotencyRefusals, OnceAnswerer } from './idempotency/index.ts'
import { senderOf } from './kit/address.ts'
import type { RawInput } from './kit/body.ts'
import { readBody, readForm } from './kit/body.ts'
import { Buckets } from './kit/buckets.ts'
import type { Readiness } from './kit/health.ts'
import { mountHealth } from './kit/health.ts'
import type { Language } from './kit/locale.ts'
import { read } from './kit/read.ts'
import {
  commonRefusals,
  invalid,
  invalidParameter,
  noSuchResource,
  Refused,
  rateLimited,
  unauthenticated,
} from './kit/refusals.ts'
import type { Route } from './kit/route.ts'
import { addressOf, languageOf, refuseOtherMethods, webApp } from './kit/web.ts'
import type { Caller, Directory, Merchant } from './merchants/index.ts'
import { Authenticator, credentialRefusals, merchantRoutes, Tokens } from './merchants/index.ts'
import type { Services } from './services.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined
  }
}

export type ApiRoute = Route<Services, Merchant>

/** Every endpoint of the API. */
export const apiRoutes: ApiRoute[] = [...merchantRoutes]

/** All that a route may refuse with: what it names, and what its frame does for it. */
export function refusalsOf(
  route: Pick<ApiRoute, 'credential' | 'idempotent' | 'body' | 'query' | 'params' | 'refusals'>,
) {
  const hasInput = route.body ?? route.query ?? (route.idempotent || undefined)
  return [
    ...commonRefusals,
    ...credentialRefusals[route.credential],
    rateLimited,
    ...(hasInput ? [invalid] : []),
    ...(route.params ? [noSuchResource] : []),
    ...(route.idempotent ? idempotencyRefusals : []),
    ...route.refusals,
  ]
}

export interface ApiOptions {
  directory: Directory
  readiness: Readiness
  isClosing(): boolean
  /** Endpoints beside the listed ones, for tests of the frame. */
  routes?: ApiRoute[]
}

const headers = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** Any site may ask: a preflight names no merchant. Whether the call itself is allowed is decided by its key. */
const browserHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'x-request-id, retry-after, idempotency-replayed',
}

const preflightHeaders = {
  ...browserHeaders,
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers':
    'authorization, content-type, accept-language, idempotency-key, x-request-id',
  'access-control-max-age': '7200',
}

/** The API: merchants' backends, and for some routes merchants' web pages. */
export function apiApp(services: Services, options: ApiOptions): FastifyInstance {
  const { config, metrics } = services
  const app = webApp({
    log: services.log,
    random: services.random,
    trustedProxies: config.trustedProxies,
    headers: config.apiUrl.startsWith('https:')
      ? { ...headers, 'strict-transport-security': 'max-age=31536000; includeSubDomains' }
      : headers,
    isClosing: options.isClosing,
    observe: (method, route, status, seconds) =>
      metrics.observeRequest('api', method, route, status, seconds),
  })
  app.decorateRequest('caller', undefined)
  const desk = new Desk(services, options.directory)
  const routes = [...apiRoutes, ...(options.routes ?? [])]
  const known: { method: string; url: string }[] = [...routes]
  for (const route of routes) desk.mount(app, route)
  for (const { url } of routes.filter((route) => route.fromBrowsers)) {
    app.options(url, (request, reply) => {
      request.pattern = url
      return reply.headers(preflightHeaders).code(204).send()
    })
    known.push({ method: 'OPTIONS', url })
  }
  mountHealth(app, options.readiness)
  refuseOtherMethods(app, [...known, { method: 'GET', url: '/livez' }, { method: 'GET', url: '/readyz' }])
  return app
}

/** Takes a request from its arrival to its answer, as its route describes. */
class Desk {
  readonly #services: Services
  readonly #authenticator: Authenticator
  readonly #once: OnceAnswerer
  readonly #perKey: Buckets | undefined
  readonly #failures: Buckets
  readonly #counters

  constructor(services: Services, directory: Directory) {
    const { config, clock, keyring, metrics } = services
    this.#services = services
    this.#authenticator = new Authenticator(directory, Tokens.of(keyring), clock)
    this.#once = new OnceAnswerer(services)
    const {
      rateLimitPerSecond: perSecond,
      rateLimitBurst: burst,
      failedCredentialsPerMinute: failures,
    } = config
    this.#perKey = perSecond === 0 ? undefined : new Buckets({ burst, perSecond }, clock)
    this.#failures = new Buckets({ burst: failures, perSecond: failures / 60 }, clock)
    this.#counters = {
      failed: metrics.counter(
        'vezne_failed_credentials_total',
        'Requests whose credential is missing or not valid.',
      ),
      limited: metrics.counter('vezne_limited_requests_total', 'Requests refused by a rate limit.'),
      replayed: metrics.counter(
        'vezne_replayed_answers_total',
        'Answers given again for an Idempotency-Key.',
      ),
    }
  }

  mount(app: FastifyInstance, route: ApiRoute): void {
    app.route({
      method: route.method,
      url: route.url,
      schema: { response: { 200: route.answer.schema } },
      onRequest: async (request, reply) => {
        request.pattern = route.url
        if (route.fromBrowsers) reply.headers(browserHeaders)
        await this.#admit(route, request)
      },
      handler: (request, reply) => this.#answer(route, request, reply),
    })
  }

  /** Before the body is read: who is it, and not too often. */
  async #admit(route: ApiRoute, request: FastifyRequest): Promise<void> {
    const caller = await this.#identify(route, request)
    request.caller = caller
    request.merchantId = caller.merchant.id
    request.merchantLanguage = caller.merchant.language
    const waitS = this.#perKey?.take(caller.key.id) ?? 0
    if (waitS > 0) throw this.#limited(waitS)
  }

  /** A good credential is never hindered; a bad one is counted against the address it comes from. */
  async #identify(route: ApiRoute, request: FastifyRequest): Promise<Caller> {
    const { authorization, origin } = request.headers
    try {
      return await this.#authenticator.authenticate(route.credential, authorization, origin)
    } catch (error) {
      if (!(error instanceof Refused) || error.refusal !== unauthenticated) throw error
      this.#counters.failed.inc()
      const waitS = this.#failures.take(senderOf(addressOf(request)))
      throw waitS > 0 ? this.#limited(waitS) : error
    }
  }

  async #answer(route: ApiRoute, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const input = readInput(route, request)
    const { merchant, key } = input.caller
    const handle = async (services: Services) => {
      const result = await route.handle(services, merchant, { ...input, key })
      return reply.serializeInput(answerOf(route, result, input.language), '200') as string
    }
    reply.type('application/json; charset=utf-8')
    const idempotencyKey = route.idempotent ? readIdempotencyKey(request) : undefined
    if (idempotencyKey === undefined) return reply.send(await handle(this.#services))
    const keyed = { merchantId: merchant.id, key: idempotencyKey, fingerprint: fingerprintOf(request) }
    const { text, replayed } = await this.#once.answer(keyed, handle)
    if (replayed) {
      reply.header('idempotency-replayed', 'true')
      this.#counters.replayed.inc()
    }
    return reply.send(text)
  }

  #limited(waitS: number): Refused {
    this.#counters.limited.inc()
    return new Refused(rateLimited, { retryAfterS: waitS })
  }
}

function readInput(route: ApiRoute, request: FastifyRequest) {
  const { caller } = request
  if (!caller) throw new Error('a request is answered before it was admitted')
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  return {
    caller,
    language: languageOf(request),
    params: readParams(route.params, request.params as RawInput),
    query: readPart(route.query, () => readForm((request.query as string | null) ?? '')),
    body: readPart(route.body, () => readBody(body, request.headers['content-type'])),
  }
}

/** What cannot be an id is the id of nothing. */
function readParams(schema: TObject | undefined, raw: RawInput): unknown {
  try {
    return schema ? read(schema, raw) : {}
  } catch (error) {
    throw error instanceof Refused ? new Refused(noSuchResource) : error
  }
}

function readPart(schema: TObject | undefined, raw: () => RawInput): unknown {
  const given = raw()
  return schema ? read(schema, given) : {}
}

function answerOf(route: ApiRoute, result: unknown, language: Language): RawInput {
  const { message } = route.answer
  if (!message) return result as RawInput
  return { status: true, message: message[language], errors: [], error_code: null, data: result }
}

/** A blank key is refused, not overlooked: whoever sent it believes to be protected. */
function readIdempotencyKey(request: FastifyRequest): string | undefined {
  const value = request.headers['idempotency-key']
  if (value === undefined) return undefined
  if (typeof value === 'string' && value.trim() !== '' && value.length <= 255) return value
  throw invalidParameter('Idempotency-Key', {
    tr: '1 ile 255 karakter arasında olmalıdır.',
    en: 'Must be 1 to 255 characters long.',
  })
}

function fingerprintOf(request: FastifyRequest): Buffer {
  const path = request.url.split('?', 1)[0]
  const body = Buffer.isBuffer(request.body) ? request.body.toString('base64') : ''
  return Buffer.from(hash('sha256', `${request.method} ${path}\n${body}`, 'hex'), 'hex')
}
