import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { checkoutRoutes, failurePage, mountAssets, plainPolicy } from './checkout/index.ts'
import type { Readiness } from './kit/health.ts'
import { mountHealth } from './kit/health.ts'
import { preferredLanguage } from './kit/locale.ts'
import type { PageAnswer, PageRoute, Visit } from './kit/page-route.ts'
import { addressOf, refuseOtherMethods, webApp } from './kit/web.ts'
import type { Services } from './services.ts'
import { threeDsRoutes } from './three-ds/index.ts'

/** Every address of the payment page's origin. */
export const pageRoutes: readonly PageRoute<Services>[] = [...checkoutRoutes, ...threeDsRoutes]

export interface PageOptions {
  readiness: Readiness
  isClosing(): boolean
}

/** What holds where a page says nothing of its own: nothing is run, posted or framed. */
const headers = {
  'cache-control': 'no-store',
  'content-security-policy': plainPolicy,
  // Some banks refuse a form that does not say where it comes from; none of them needs the whole address.
  // Whoever opened the page from elsewhere has no hold on it.
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-content-type-options': 'nosniff',
}

/**
 * The payment page: payers' browsers, banks' pages and banks' servers. Its origin is its own, so that card numbers are
 * typed there alone. Guarantee: no cookie is set and none is read.
 */
export function pageApp(services: Services, options: PageOptions): FastifyInstance {
  const { config, metrics } = services
  const app = webApp({
    log: services.log,
    random: services.random,
    trustedProxies: config.trustedProxies,
    headers: config.pageUrl.startsWith('https:')
      ? { ...headers, 'strict-transport-security': 'max-age=31536000; includeSubDomains' }
      : headers,
    isClosing: options.isClosing,
    observe: metrics.requestsOf('page'),
    failurePage: (status, language) => failurePage(config, status, language),
  })
  for (const route of pageRoutes) mount(app, services, route)
  const known: { method: string; url: string }[] = [...pageRoutes, ...mountAssets(app)]
  mountHealth(app, options.readiness)
  known.push({ method: 'GET', url: '/livez' }, { method: 'GET', url: '/readyz' })
  refuseOtherMethods(app, known)
  return app
}

function mount(app: FastifyInstance, services: Services, { method, url, handle }: PageRoute<Services>): void {
  app.route({
    method,
    url,
    onRequest: (request, _reply, done) => {
      request.pattern = url
      done()
    },
    handler: async (request, reply) => send(reply, await handle(services, visitOf(request))),
  })
}

function visitOf(request: FastifyRequest): Visit {
  const { body, headers: sent, params, query } = request
  return {
    params: params as Record<string, string>,
    query: new URLSearchParams((query as string | null) ?? ''),
    headers: sent,
    body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
    address: addressOf(request),
    language: preferredLanguage(sent['accept-language']),
  }
}

function send(reply: FastifyReply, answer: PageAnswer): FastifyReply {
  switch (answer.kind) {
    case 'page':
      return reply
        .code(answer.status ?? 200)
        .headers({ 'content-security-policy': answer.policy, vary: 'accept-language' })
        .type('text/html; charset=utf-8')
        .send(answer.html)
    case 'json':
      return reply
        .code(answer.status ?? 200)
        .type('application/json; charset=utf-8')
        .send(JSON.stringify(answer.value))
    case 'elsewhere':
      return reply.code(303).header('location', answer.location).send()
  }
}
