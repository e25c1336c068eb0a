import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { mountFavicon } from '../../kit/http/favicon.ts'
import { requestLanguage, webApp } from '../../kit/http/web-app.ts'
import { parseRequestBody } from '../../kit/input/body.ts'
import type { Language, LocalizedText } from '../../kit/text/locale.ts'
import { languages } from '../../kit/text/locale.ts'
import { mountAssets } from './assets.ts'
import { checkOrder } from './check-order.ts'
import { requestObjection, shopHeaders } from './guard.ts'
import type { ShopOrder } from './order.ts'
import { paymentOptionsOf, readBasketItems } from './order.ts'
import { failurePage, shopPage, thanksPage } from './page.ts'
import { receiveWebhook } from './receive-webhook.ts'
import type { DemoShop } from './shop.ts'
import { shownOrderCheck } from './shown-order-check.ts'
import { startPayment } from './start-payment.ts'
import { visitorOf } from './visitor.ts'

const largestOrder = 8 * 1024
const pages = ['/', '/thanks']

/**
 * The shop's web app. Guarantee: it answers only programs and pages of this machine, and tells a visitor nothing
 * about the orders and payments of others.
 */
export function shopApp(shop: DemoShop): FastifyInstance {
  const { options, live } = shop
  let isClosing = false
  const app = webApp({
    log: shop.log,
    random: options.random,
    trustedProxies: [],
    headers: shopHeaders(options),
    isClosing: () => isClosing,
    observe: () => undefined,
    failurePage: (status, language) => failurePage(shop, status, language),
  })
  app.addHook('preClose', async () => {
    isClosing = true
    live.end()
  })
  app.addHook('onRequest', async (request, reply) => guard(shop, request, reply))
  mountPages(app, shop)
  mountOrders(app, shop)
  mountFeeds(app, shop)
  mountAssets(app)
  mountFavicon(app)
  return app
}

async function guard({ options, origin }: DemoShop, request: FastifyRequest, reply: FastifyReply) {
  const [path = ''] = request.url.split('?')
  const isPage = request.method === 'GET' && pages.includes(path)
  const sentence = requestObjection(options, request, isPage)
  if (sentence)
    return reply.code(403).send({ status: false, message: sentence[requestLanguage(request)], at: origin })
  // The payment page allows frames of one origin only, so pages redirect to that name.
  if (isPage && request.headers.host !== new URL(origin).host)
    return reply.redirect(`${origin}${request.url}`, 302)
}

function mountPages(app: FastifyInstance, shop: DemoShop): void {
  app.get('/', { onRequest: setPattern('/') }, async (request, reply) => {
    visitorOf(shop.options, request, reply)
    return sendPage(reply, shopPage(shop, shopLanguageOf(request)))
  })
  app.get('/thanks', { onRequest: setPattern('/thanks') }, async (request, reply) => {
    const id = queryOf(request).get('transaction_id') ?? ''
    const check = await checkOrder(shop, visitorOf(shop.options, request, reply), id)
    const language = shopLanguageOf(request)
    const query = check.transactionId === '' ? '' : `transaction_id=${check.transactionId}&`
    return sendPage(reply, thanksPage(shop, shownOrderCheck(check, language), query, language))
  })
}

function mountOrders(app: FastifyInstance, shop: DemoShop): void {
  app.post(
    '/orders',
    { onRequest: setPattern('/orders'), bodyLimit: largestOrder },
    async (request, reply) => {
      const order = placeOrder(shop, request, reply)
      const language = shopLanguageOf(request)
      if ('wrong' in order) return refuse(reply, 422, order.wrong[language])
      return { order: order.id, ...paymentOptionsOf(order, language) }
    },
  )
  app.post(
    '/checkout',
    { onRequest: setPattern('/checkout'), bodyLimit: largestOrder },
    async (request, reply) => {
      const order = placeOrder(shop, request, reply)
      const language = shopLanguageOf(request)
      if ('wrong' in order) return refuse(reply, 422, order.wrong[language])
      const started = await startPayment(shop, order, language)
      if (!started) return refuse(reply, 502, notStarted[language])
      return { order: order.id, amount: order.amountMinor, ...started }
    },
  )
  app.get<{ Params: { id: string } }>(
    '/orders/:id',
    { onRequest: setPattern('/orders/:id') },
    async (request, reply) => {
      const language = shopLanguageOf(request)
      const visitor = visitorOf(shop.options, request, reply)
      const order = shop.orders.ofVisitor(visitor, request.params.id)
      if (!order) return refuse(reply, 404, noSuchOrder[language])
      const check = await checkOrder(shop, visitor, queryOf(request).get('transaction_id') ?? '', order)
      return shownOrderCheck(check, language)
    },
  )
}

/** Creates the order of the basket in a request. */
function placeOrder(
  shop: DemoShop,
  request: FastifyRequest,
  reply: FastifyReply,
): ShopOrder | { wrong: LocalizedText } {
  const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  const { items } = parseRequestBody(bytes, request.headers['content-type'])
  const basket = readBasketItems(items)
  return 'wrong' in basket ? basket : shop.orders.make(visitorOf(shop.options, request, reply), basket.lines)
}

function refuse(reply: FastifyReply, status: number, message: string): FastifyReply {
  return reply.code(status).send({ status: false, message })
}

const noSuchOrder = { tr: 'Böyle bir sipariş yok.', en: 'There is no such order.' }
const notStarted = {
  tr: 'Ödeme başlatılamadı. Lütfen birazdan yeniden deneyin.',
  en: 'The payment could not be started. Please try again in a moment.',
}
const tooManyListen = {
  tr: 'Canlı akışı en fazla sayıda pencere izliyor. Bir pencereyi kapatıp yeniden deneyin.',
  en: 'The live feed is open in too many windows. Close one and try again.',
}

function mountFeeds(app: FastifyInstance, shop: DemoShop): void {
  app.post('/webhooks', { onRequest: setPattern('/webhooks') }, async (request, reply) => {
    const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    return reply.code(receiveWebhook(shop, request.headers, bytes)).send()
  })
  app.get('/live', { onRequest: setPattern('/live') }, async (request, reply) => {
    const knownId = Number(request.headers['last-event-id'] ?? queryOf(request).get('after') ?? 0)
    if (!shop.live.hasRoom) {
      reply.header('retry-after', 5)
      return refuse(reply, 503, tooManyListen[requestLanguage(request)])
    }
    const visitor = visitorOf(shop.options, request, reply)
    reply.type('text/event-stream; charset=utf-8').hijack()
    reply.raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders)
    shop.live.listen(reply.raw, visitor, Number.isSafeInteger(knownId) ? knownId : 0)
    return reply
  })
}

function setPattern(pattern: string) {
  return async (request: FastifyRequest) => {
    request.pattern = pattern
  }
}

function queryOf(request: FastifyRequest): URLSearchParams {
  return new URLSearchParams((request.query as string | null) ?? '')
}

/** Language chosen on the page, or else the browser's. */
function shopLanguageOf(request: FastifyRequest): Language {
  const chosen = queryOf(request).get('lang')
  return languages.find((each) => each === chosen) ?? requestLanguage(request)
}

function sendPage(reply: FastifyReply, text: string): FastifyReply {
  return reply.header('vary', 'accept-language').type('text/html; charset=utf-8').send(text)
}
