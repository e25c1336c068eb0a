import type { FastifyInstance } from 'fastify'
import { mountFavicon } from '../kit/http/favicon.ts'
import type { ReadinessCheck } from '../kit/http/health.ts'
import { mountHealthRoutes } from '../kit/http/health.ts'
import { webApp } from '../kit/http/web-app.ts'
import type { Refusal } from '../kit/input/refusals.ts'
import {
  commonRefusals,
  noSuchResource,
  pipelineRefusals,
  rateLimited,
  validationFailed,
} from '../kit/input/refusals.ts'
import { balanceRoutes } from './balance/index.ts'
import { binRoutes, mountBinPictures } from './bins/index.ts'
import { customerRoutes } from './customers/index.ts'
import type { RequestDeadlines } from './database/request-deadlines.ts'
import { eventRoutes } from './events/index.ts'
import { idempotencyRefusals } from './idempotency/index.ts'
import type { MerchantCache } from './merchants/index.ts'
import { credentialRefusals, merchantRoutes } from './merchants/index.ts'
import { paymentRoutes } from './payments/index.ts'
import { anyOrigin, mountFlags, mountStoredPictures } from './pictures/index.ts'
import { posRoutes } from './pos/index.ts'
import { productRoutes } from './products/index.ts'
import { mountReference } from './reference/index.ts'
import { refundRoutes } from './refunds/index.ts'
import type { ApiRoute } from './request-pipeline.ts'
import { corsHeaders, RequestPipeline } from './request-pipeline.ts'
import type { Services } from './services.ts'
import { documentedWebhookMessages, webhookRoutes } from './webhooks/index.ts'

export type { ApiRoute } from './request-pipeline.ts'

export const apiRoutes: ApiRoute[] = [
  ...merchantRoutes,
  ...customerRoutes,
  ...productRoutes,
  ...paymentRoutes,
  ...refundRoutes,
  ...balanceRoutes,
  ...binRoutes,
  ...posRoutes,
  ...eventRoutes,
  ...webhookRoutes,
]

/** All refusals of a route: those it declares, and those of the request pipeline. */
export function refusalsOf(
  route: Pick<ApiRoute, 'credential' | 'idempotent' | 'body' | 'query' | 'params' | 'refusals'>,
) {
  const hasInput = route.body ?? route.query ?? (route.idempotent || undefined)
  return [
    ...commonRefusals,
    ...credentialRefusals[route.credential],
    rateLimited,
    ...(hasInput ? [validationFailed] : []),
    ...(route.params ? [noSuchResource] : []),
    ...(route.idempotent ? idempotencyRefusals : []),
    ...route.refusals,
  ]
}

export function allRefusals(): Refusal[] {
  const all = new Set([...pipelineRefusals, ...apiRoutes.flatMap((route) => route.refusals)])
  return [...all].sort((a, b) => a.code - b.code || a.status - b.status)
}

export interface ApiOptions {
  merchantCache: MerchantCache
  readiness: ReadinessCheck
  isClosing(): boolean
  /** The caller runs its watch. */
  deadlines: RequestDeadlines
  /** Further endpoints, for tests of the pipeline. */
  routes?: ApiRoute[]
}

const headers = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
}

const preflightHeaders = {
  ...corsHeaders,
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers':
    'authorization, content-type, accept-language, idempotency-key, x-request-id',
  'access-control-max-age': '7200',
}

/** The API for merchants' backends; some routes also serve merchants' web pages. */
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
    isClockUnreliable: () => services.clock.isUnconfirmed === true,
    observe: metrics.requestsOf('api'),
  })
  app.decorateRequest('caller', undefined)
  const pipeline = new RequestPipeline(services, options.merchantCache, options.deadlines)
  const routes = [...apiRoutes, ...(options.routes ?? [])]
  for (const route of routes) pipeline.mount(app, route)
  for (const { url } of routes.filter((route) => route.fromBrowsers)) {
    app.options(url, (request, reply) => {
      request.pattern = url
      return reply.headers(preflightHeaders).code(204).send()
    })
  }
  mountFlags(app)
  mountStoredPictures(app, services, options.deadlines, 'whole', anyOrigin)
  mountBinPictures(app)
  mountFavicon(app)
  mountHealthRoutes(app, options.readiness)
  const { version, apiUrl: url } = config
  mountReference(app, { routes, version, url, refusalsOf, messages: documentedWebhookMessages })
  return app
}
