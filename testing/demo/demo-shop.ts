import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { shopApp } from '../../demo/server/app.ts'
import { DemoShop } from '../../demo/server/shop.ts'
import { networkHttpClient } from '../../kit/outbound/http-client.ts'
import { systemClock } from '../../kit/runtime/clock.ts'
import { systemRandom } from '../../kit/security/random.ts'
import { demoShopCards } from '../../server/demo-shop.ts'
import { ensureDemoPos } from '../../server/pos/index.ts'
import { testApi } from '../harness/api.ts'
import type { TestClock } from '../harness/clock.ts'
import { silentLog } from '../harness/database.ts'
import { makeHome } from '../harness/embedded-home.ts'
import { seedPayment } from '../seed/payment.ts'
import { listenOnFreePort } from '../till/browser.ts'

export const visitor = 'a'.repeat(22)
export const own = { host: 'localhost:4247', cookie: `demo-shop-4247=${visitor}` }
export const others = { ...own, cookie: `demo-shop-4247=${'b'.repeat(22)}` }

export interface Opened {
  shop: DemoShop
  app: FastifyInstance
  file: string
}

export interface ShopTestOptions {
  home?: string
  port?: number
  apiAt?: string
  clock?: TestClock
}

/** Runs the shop's background tasks until its webhook is registered. */
export async function runUntilRegistered({ shop }: Opened): Promise<void> {
  shop.webhook = undefined
  const ending = new AbortController()
  const running = shop.run(ending.signal)
  while (!shop.webhook) await systemClock.sleep(5)
  ending.abort()
  await running
}

export const beans = [{ id: 'beans', quantity: 2 }]

export async function order(app: FastifyInstance) {
  const answer = await app.inject({ method: 'POST', url: '/orders', headers: own, payload: { items: beans } })
  assert.equal(answer.statusCode, 200)
  return answer.json()
}

export async function check(app: FastifyInstance, id: string, transaction: number | string, headers = own) {
  const url = `/orders/${id}?transaction_id=${transaction}&lang=en`
  return (await app.inject({ url, headers })).json()
}

export const webhookSecret = `whsec_${Buffer.from('a secret of thirty-two bytes, ok').toString('base64')}`
export const forgedSecret = `whsec_${Buffer.alloc(32).toString('base64')}`

/** The real API with the demo merchant, for one test file, and what a shop does with it. */
export async function demoShopFixture() {
  const api = await testApi({ env: { RATE_LIMIT_PER_SECOND: '0' } })
  await ensureDemoPos(api.services, api.merchant)
  await api.merchantCache.refresh()
  const apiUrl = await listenOnFreePort(api.app)

  /** The shop with its own home folder and the real API, on the API's clock. */
  function openShop(t: TestContext, options: ShopTestOptions = {}): Opened {
    const { home = makeHome(t), port = 4247, apiAt = apiUrl, clock = api.clock } = options
    const file = join(home, 'demo-shop.json')
    const shop = new DemoShop({
      port,
      apiUrl: apiAt,
      pageUrl: 'http://localhost:4243',
      publicKey: api.publicKey,
      secretKey: api.secretKey,
      file,
      cards: demoShopCards(),
      http: networkHttpClient(systemClock),
      clock,
      random: systemRandom,
      log: silentLog,
    })
    const app = shopApp(shop)
    t.after(() => app.close())
    return { shop, app, file }
  }

  /** A payment of the merchant for this order, paid by default. */
  async function payment(amountMinor: number, orderId: string, state: 'paid' | 'open' | 'failed' = 'paid') {
    const metadata = [{ key: 'order', value: orderId }]
    return (await seedPayment(api.services, api.merchant, { state, amountMinor, metadata })).id
  }

  /** Posts an event as Vezne does, sent `agoS` seconds ago and signed with the secret `by`. */
  function postEvent(app: FastifyInstance, data: object, { id = '1', agoS = 0, by = webhookSecret } = {}) {
    const at = String(Math.floor(api.clock.now().getTime() / 1000) - agoS)
    const body = JSON.stringify({ type: 'payment.succeeded', data })
    const key = Buffer.from(by.slice('whsec_'.length), 'base64')
    const signature = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')
    const signed = {
      'webhook-id': id,
      'webhook-timestamp': at,
      'webhook-signature': `v1,AAAA v1,${signature}`,
    }
    const headers = { ...own, 'content-type': 'application/json', ...signed }
    return app.inject({ method: 'POST', url: '/webhooks', headers, payload: body })
  }

  return { api, apiUrl, openShop, payment, postEvent }
}
