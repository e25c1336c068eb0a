import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { clientNetworkOf } from '../kit/http/client-network.ts'
import type { EncodedBody } from '../kit/http/content-encoding.ts'
import { encodeBody, encodeHtmlPage } from '../kit/http/content-encoding.ts'
import { mountFavicon } from '../kit/http/favicon.ts'
import type { ReadinessCheck } from '../kit/http/health.ts'
import { mountHealthRoutes } from '../kit/http/health.ts'
import type { PageRoute, PageRouteRequest, PageRouteResponse } from '../kit/http/page-route.ts'
import { RateLimiter } from '../kit/http/rate-limiter.ts'
import { clientAddressOf, webApp } from '../kit/http/web-app.ts'
import { Refused, rateLimited } from '../kit/input/refusals.ts'
import { preferredLanguage } from '../kit/text/locale.ts'
import {
  checkoutRoutes,
  httpErrorPageHtml,
  mountAssets,
  mountElementScript,
  mountPolicyReports,
  pageOriginHeaders,
  policyHeaders,
} from './checkout/index.ts'
import type { RequestDeadlines } from './database/request-deadlines.ts'
import { mountStoredPictures } from './pictures/index.ts'
import type { Services } from './services.ts'
import { threeDsRoutes } from './three-ds/index.ts'

/** Every address of the payment page's origin. */
export const pageRoutes: readonly PageRoute<Services>[] = [...checkoutRoutes, ...threeDsRoutes]

export interface PageOptions {
  readiness: ReadinessCheck
  isClosing(): boolean
  /** The caller runs its watch. */
  deadlines: RequestDeadlines
  /** Further addresses, for tests of the page app. */
  routes?: readonly PageRoute<Services>[]
}

/**
 * The payment page for payers' browsers, banks' pages and banks' servers. It has its own origin, so that card
 * numbers are typed only there. Guarantee: it sets and reads no cookie.
 */
export function pageApp(services: Services, options: PageOptions): FastifyInstance {
  const { config, metrics } = services
  const app = webApp({
    log: services.log,
    random: services.random,
    trustedProxies: config.trustedProxies,
    headers: pageOriginHeaders(config),
    isClosing: options.isClosing,
    isClockUnreliable: () => services.clock.isUnconfirmed === true,
    observe: metrics.requestsOf('page'),
    failurePage: (status, language) => httpErrorPageHtml(services.config, status, language).text,
  })
  const { deadlines, routes = [] } = options
  const limit = limitOf(services)
  for (const route of [...pageRoutes, ...routes])
    mount(app, services, route, { deadlines, limit: route.fromBanks ? undefined : limit })
  const patterns = pageRoutes.map(({ url }) => url)
  mountAssets(app)
  mountStoredPictures(app, services, deadlines, 'tile')
  mountElementScript(app)
  mountPolicyReports(app, services, patterns)
  mountFavicon(app)
  mountHealthRoutes(app, options.readiness)
  return app
}

/** Returns the seconds to wait, or 0. */
type Limit = (request: FastifyRequest) => number

/** Rate limit per sender at the page; each instance counts separately. */
function limitOf({ config, clock, metrics }: Services): Limit | undefined {
  const { pageRateLimitPerSecond: perSecond, pageRateLimitBurst: burst } = config
  if (perSecond === 0) return undefined
  const senders = new RateLimiter({ burst, perSecond }, clock)
  const refused = metrics.counter(
    'vezne_limited_page_requests_total',
    'Requests to payment pages refused by the rate limit.',
    [],
  )
  return (request) => {
    const waitS = senders.take(clientNetworkOf(clientAddressOf(request)))
    if (waitS > 0) refused.inc()
    return waitS
  }
}

function mount(
  app: FastifyInstance,
  services: Services,
  { method, url, handle }: PageRoute<Services>,
  { deadlines, limit }: { deadlines: RequestDeadlines; limit: Limit | undefined },
): void {
  app.route({
    method,
    url,
    onRequest: (request, reply, done) => {
      request.pattern = url
      const retryAfterS = limit?.(request) ?? 0
      if (retryAfterS === 0) return done()
      // A browser gets a page; the page's own script gets JSON.
      if (request.headers.accept?.includes('text/html'))
        return done(new Refused(rateLimited, { retryAfterS }))
      reply.header('retry-after', retryAfterS)
      send(services, request, reply, { kind: 'json', status: 429, value: { next: 'limited', retryAfterS } })
    },
    handler: async (request, reply) =>
      send(
        services,
        request,
        reply,
        await deadlines.run(request, services, (own) => handle(own, visitOf(request))),
      ),
  })
}

function visitOf(request: FastifyRequest): PageRouteRequest {
  const { body, headers: sent, params, query } = request
  return {
    params: params as Record<string, string>,
    query: new URLSearchParams((query as string | null) ?? ''),
    headers: sent,
    body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
    address: clientAddressOf(request),
    language: preferredLanguage(sent['accept-language']),
  }
}

function send(
  { config }: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: PageRouteResponse,
): FastifyReply {
  switch (answer.kind) {
    case 'page':
      for (const [name, value] of Object.entries(policyHeaders(config, answer.policy))) {
        if (value === undefined) reply.removeHeader(name)
        else reply.header(name, value)
      }
      if (answer.savedAs !== undefined)
        reply.header('content-disposition', `attachment; filename="${answer.savedAs}"`)
      reply.code(answer.status ?? 200).type('text/html; charset=utf-8')
      return sendBytes(request, reply, (accepted) => encodeHtmlPage(answer.html, accepted))
    case 'json':
      reply.code(answer.status ?? 200).type('application/json; charset=utf-8')
      return sendBytes(request, reply, (accepted) => encodeBody(JSON.stringify(answer.value), accepted))
    case 'redirect':
      return reply.code(303).header('location', answer.location).send()
  }
}

/**
 * Compresses a response if that is useful and safe. The length of a compressed response reveals repeated
 * content (BREACH). There are no cookies, so only a caller who knows a page's address gets its contents. An
 * attacker therefore cannot use a payer's browser to request an unknown page. The one response with a card in
 * it answers a POST, and those are never compressed.
 */
function sendBytes(
  { method, headers }: FastifyRequest,
  reply: FastifyReply,
  encode: (accepted: string | undefined) => EncodedBody,
): FastifyReply {
  reply.header('vary', 'accept-encoding, accept-language')
  const isCompressed = method === 'GET' || method === 'HEAD'
  const { bytes, encoding } = encode(isCompressed ? headers['accept-encoding'] : undefined)
  if (encoding !== undefined) reply.header('content-encoding', encoding)
  reply.header('content-length', bytes.length).hijack()
  reply.raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders)
  reply.raw.end(method === 'HEAD' ? '' : bytes, 'latin1')
  return reply
}
