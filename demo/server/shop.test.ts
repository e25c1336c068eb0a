import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { describe, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { networkHttpClient } from '../../kit/outbound/http-client.ts'
import { systemClock } from '../../kit/runtime/clock.ts'
import { TaskGroup } from '../../kit/runtime/task-group.ts'
import { systemRandom } from '../../kit/security/random.ts'
import { demoShopCards, startDemoShop } from '../../server/demo-shop.ts'
import { ensureDemoPos } from '../../server/pos/index.ts'
import { testApi } from '../../testing/harness/api.ts'
import { backendOf } from '../../testing/harness/backend.ts'
import { TestClock } from '../../testing/harness/clock.ts'
import { silentLog } from '../../testing/harness/database.ts'
import { makeHome } from '../../testing/harness/embedded-home.ts'
import { freePorts } from '../../testing/harness/process.ts'
import { seedPayment } from '../../testing/seed/payment.ts'
import { listenOnFreePort } from '../../testing/till/browser.ts'
import { shopApp } from './app.ts'
import { DemoShop } from './shop.ts'
import { ShopFile } from './shop-file.ts'

const api = await testApi({ env: { RATE_LIMIT_PER_SECOND: '0' } })
await ensureDemoPos(api.services, api.merchant)
await api.merchantCache.refresh()
const apiUrl = await listenOnFreePort(api.app)
const backend = backendOf(api)
const own = { host: 'localhost:4247' }

interface Opened {
  shop: DemoShop
  app: FastifyInstance
  file: string
}

interface ShopTestOptions {
  home?: string
  port?: number
  apiAt?: string
  clock?: TestClock
}

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

/** Runs the shop's background tasks until its webhook is registered. */
async function runUntilRegistered({ shop }: Opened): Promise<void> {
  shop.webhook = undefined
  const ending = new AbortController()
  const running = shop.run(ending.signal)
  while (!shop.webhook) await systemClock.sleep(5)
  ending.abort()
  await running
}

async function order(app: FastifyInstance, items: object[] = [{ id: 'beans', quantity: 2 }]) {
  const answer = await app.inject({ method: 'POST', url: '/orders', headers: own, payload: { items } })
  assert.equal(answer.statusCode, 200)
  return answer.json()
}

async function check(app: FastifyInstance, id: string, transaction: number | string) {
  const url = `/orders/${id}?transaction_id=${transaction}&lang=en`
  return (await app.inject({ url, headers: own })).json()
}

/** A payment of the merchant for this order, paid by default. */
async function payment(amountMinor: number, orderId: string, state: 'paid' | 'open' | 'failed' = 'paid') {
  const metadata = [{ key: 'order', value: orderId }]
  return (await seedPayment(api.services, api.merchant, { state, amountMinor, metadata })).id
}

describe('the check of an order', () => {
  it('returns paid only if Vezne reports success for this order and its price', async (t) => {
    const { app } = openShop(t)
    const { order: id, amount, products, metadata } = await order(app)
    assert.deepEqual([amount, metadata], [37_980, [{ key: 'order', value: id }]])
    assert.equal(products[0].price, amount)
    const other = (await order(app)).order
    const outcomes = {
      paid: await payment(amount, id),
      waiting: await payment(amount, id, 'open'),
      failed: await payment(amount, id, 'failed'),
      other: await payment(100, id),
      unknown: 99_999_999_999_999,
    }
    for (const [outcome, transaction] of Object.entries(outcomes))
      assert.equal((await check(app, id, transaction)).outcome, outcome, outcome)
    assert.equal((await check(app, id, await payment(amount, id))).outcome, 'again', 'it is paid for once')
    assert.equal((await check(app, id, outcomes.paid)).outcome, 'paid')
    const result = await check(app, id, outcomes.other)
    const differing = result.compared.filter((each: { is_same: boolean }) => !each.is_same)
    assert.deepEqual(differing, [{ what: 'Amount', ours: '₺379.80', theirs: '₺1.00', is_same: false }])
    assert.equal((await check(app, other, outcomes.paid)).outcome, 'other', 'the payment of another order')
    for (const forged of ['', '1', 'x', '..%2F..%2Fwebhooks', `${outcomes.paid}0`])
      assert.equal((await check(app, id, forged)).outcome, 'unknown', forged)
    assert.equal((await check(app, 'K-0', outcomes.paid)).message, 'There is no such order.')
    const { app: alone } = openShop(t, { apiAt: 'http://127.0.0.1:9' })
    const { order: unasked } = await order(alone)
    assert.equal((await check(alone, unasked, outcomes.paid)).outcome, 'unreachable')
  })

  it('returns the same when the payer comes back from the payment page, in either language', async (t) => {
    const { app } = openShop(t)
    const { order: id, amount, redirect_url } = await order(app)
    assert.equal(redirect_url, 'http://localhost:4247/thanks')
    const paid = await payment(amount, id)
    const thanks = async (query: string, language = 'en') => {
      const headers = { ...own, 'accept-language': language }
      return /<h1>([^<]*)/.exec((await app.inject({ url: `/thanks?${query}`, headers })).payload)?.[1]
    }
    assert.equal(await thanks(`transaction_id=${paid}`), 'Paid and checked on the server')
    assert.equal(await thanks(`transaction_id=${paid}`, 'tr'), 'Ödendi ve sunucuda kontrol edildi')
    assert.equal(await thanks(`transaction_id=${paid}&lang=tr`), 'Ödendi ve sunucuda kontrol edildi')
    assert.equal(
      await thanks(`transaction_id=${await payment(100, id)}`),
      'This payment is not for this order',
    )
    assert.equal(
      await thanks(`transaction_id=${await payment(amount, 'x')}`),
      'This payment is not for this order',
    )
    assert.equal(await thanks('transaction_id=12345678901234'), 'There is no such transaction')
    assert.equal(await thanks('transaction_id=%3Cscript%3E'), 'There is no such transaction')
  })

  it('gets a new token when the API refuses the old one', async (t) => {
    // The shop's clock stands still, so it does not notice that the token expires.
    const { app } = openShop(t, { clock: new TestClock(api.clock.now().toISOString()) })
    const { order: id, amount } = await order(app)
    const paid = await payment(amount, id)
    assert.equal((await check(app, id, paid)).outcome, 'paid')
    api.clock.advance(601_000)
    await api.merchantCache.refresh()
    assert.equal((await check(app, id, paid)).outcome, 'paid')
  })
})

describe('a webhook', () => {
  const secret = `whsec_${Buffer.from('a secret of thirty-two bytes, ok').toString('base64')}`

  /** Posts an event as Vezne does, sent `agoS` seconds ago and signed with the secret `by`. */
  function post(app: FastifyInstance, data: object, { id = '1', agoS = 0, by = secret } = {}) {
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

  it('marks its order as paid if it is signed, recent and correct, and counts once', async (t) => {
    const { shop, app } = openShop(t)
    shop.webhook = { id: 1, secret }
    const { order: id, amount } = await order(app)
    const metadata = [{ key: 'order', value: id }]
    const status = { payment_status_text: 'success', transaction_status_text: 'completed' }
    const paid = { transaction_id: 7, amount, currency_code: 'TRY', metadata, ...status }
    const others = [
      post(app, paid, { by: `whsec_${Buffer.alloc(32).toString('base64')}` }),
      post(app, paid, { agoS: 301 }),
      post(app, paid, { agoS: -301 }),
      app.inject({ method: 'POST', url: '/webhooks', headers: own, payload: paid }),
    ]
    for (const { statusCode } of await Promise.all(others)) assert.equal(statusCode, 400)
    assert.equal((await post(app, { ...paid, amount: 100 }, { id: 'other' })).statusCode, 204)
    assert.equal(shop.orders.byId(id)?.paidBy, undefined)
    for (const agoS of [0, 299]) assert.equal((await post(app, paid, { agoS })).statusCode, 204)
    assert.deepEqual([shop.orders.byId(id)?.paidBy, shop.knownEvents.size], [7, 2])
    // A signed request that contains no event is not remembered as processed.
    assert.equal((await post(app, {}, { id: 'empty' })).statusCode, 400)
    shop.webhook = undefined
    assert.equal((await post(app, paid)).statusCode, 503, 'it comes again once the secret is known')
  })

  it('is registered once, however often the shop starts, on any port, and with a lost or damaged file', async (t) => {
    const home = makeHome(t)
    const first = openShop(t, { home })
    await runUntilRegistered(first)
    const listed = async () => (await backend.get('/v1/webhooks')).json
    const [{ id, url }] = await listed()
    assert.equal(url, 'http://localhost:4247/webhooks')
    assert.equal(statSync(first.file).mode & 0o777, 0o600)
    const kept = readFileSync(first.file, 'utf8')
    await runUntilRegistered(openShop(t, { home }))
    assert.equal(readFileSync(first.file, 'utf8'), kept, 'nothing has to be changed')
    await backend.form(`/v1/webhooks/${id}`, { status: 'disabled' })
    await runUntilRegistered(openShop(t, { home, port: 5000 }))
    for (const lose of [() => rmSync(first.file), () => writeFileSync(first.file, '{"webhook_id":1')]) {
      lose()
      await runUntilRegistered(openShop(t, { home, port: 5000 }))
    }
    const [webhook, ...more] = await listed()
    assert.deepEqual(
      [webhook.id, webhook.url, webhook.status],
      [id, 'http://localhost:5000/webhooks', 'enabled'],
    )
    assert.deepEqual(more, [])
    const known = new ShopFile(first.file).read()
    assert.ok(known?.id === id && !kept.includes(known?.secret ?? ''), 'a secret that is lost is replaced')
  })

  it('is requested only once if Vezne forbids webhooks to this machine', async (t) => {
    const closed = await testApi({ env: { LOOPBACK_WEBHOOKS: 'never' }, database: api.database })
    await closed.merchantCache.refresh()
    const clock = new TestClock()
    const { shop } = openShop(t, { port: 6000, apiAt: await listenOnFreePort(closed.app), clock })
    const ending = new AbortController()
    const registered = shop.register(ending.signal).then(() => 'given up')
    assert.equal(
      await Promise.race([registered, clock.asleep(1).then(() => 'waits for the next attempt')]),
      'given up',
    )
    ending.abort()
    assert.equal(shop.webhook, undefined)
  })
})

describe('the shop’s pages', () => {
  it('have the strictest policy that the element works with, and set no cookie', async (t) => {
    const { app } = openShop(t)
    const { headers, payload } = await app.inject({ url: '/', headers: own })
    assert.deepEqual(String(headers['content-security-policy']).split('; '), [
      "default-src 'none'",
      "base-uri 'none'",
      "style-src 'self'",
      "img-src 'self'",
      "script-src 'self' http://localhost:4243",
      `connect-src 'self' ${apiUrl}`,
      'frame-src http://localhost:4243',
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ])
    assert.doesNotMatch(payload, / style=| on\w+=|<style/)
    assert.equal(headers['set-cookie'], undefined)
    assert.ok(!payload.includes(api.secretKey), 'the secret key stays on the server')
  })

  it('refuse another host name or another site, and redirect to their own name', async (t) => {
    const { app } = openShop(t)
    const payload = { items: [{ id: 'beans', quantity: 1 }] }
    const post = (headers: object) =>
      app.inject({ method: 'POST', url: '/orders', headers: { ...own, ...headers }, payload })
    for (const headers of [
      { host: 'evil.example' },
      { host: 'evil.example:4247' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ])
      assert.equal((await post(headers)).statusCode, 403, JSON.stringify(headers))
    const ours = { origin: 'http://localhost:4247', 'sec-fetch-site': 'same-origin' }
    assert.equal((await post(ours)).statusCode, 200)
    assert.equal((await app.inject({ url: '/', headers: { host: 'evil.example:4247' } })).statusCode, 403)
    const elsewhere = await app.inject({ url: '/?lang=en', headers: { host: '127.0.0.1:4247' } })
    assert.equal(elsewhere.headers.location, 'http://localhost:4247/?lang=en')
  })

  it('listen only on loopback, even if the service listens on all addresses', async (t) => {
    const { DEMO_PORT: port } = await freePorts()
    const config = { ...api.services.config, home: makeHome(t), host: '0.0.0.0', demoPort: Number(port) }
    const demo = { merchant: api.merchant, publicKey: api.publicKey, secretKey: api.secretKey, file: '' }
    const tasks = new TaskGroup()
    tasks.end()
    const listener = await startDemoShop({ ...api.services, config, clock: systemClock, tasks }, demo)
    t.after(() => Promise.all([listener.close(0), tasks.drain()]))
    assert.equal((await fetch(`http://127.0.0.1:${port}/`, { redirect: 'manual' })).status, 302)
    // A listener on all addresses would answer at this one too.
    await assert.rejects(fetch(`http://127.0.0.2:${port}/`))
  })

  it('explain what is wrong with a request, and ignore prices in it', async (t) => {
    const { app, shop } = openShop(t)
    const json = { ...own, 'content-type': 'application/json', 'accept-language': 'en' }
    const post = (payload: string) => app.inject({ method: 'POST', url: '/orders', headers: json, payload })
    const bodies: [string, number][] = [
      ['{', 400],
      ['[]', 400],
      ['', 422],
      ['{"items":{}}', 422],
      ['{"items":[]}', 422],
      ['{"items":[null]}', 422],
      ['{"items":[{"id":"gold","quantity":1}]}', 422],
      ['{"items":[{"id":"__proto__","quantity":1}]}', 422],
      ...[0, -1, 1.5, 10, '"2"', 1e99].map((quantity): [string, number] => [
        `{"items":[{"id":"beans","quantity":${quantity}}]}`,
        422,
      ]),
      ['{"items":[{"id":"beans","quantity":1},{"id":"beans","quantity":1}]}', 422],
      [`{"items":[],"x":"${'x'.repeat(9_000)}"}`, 413],
    ]
    for (const [body, status] of bodies) {
      const answer = await post(body)
      assert.equal(answer.statusCode, status, body.slice(0, 80))
      assert.match(answer.json().message, /\w/)
    }
    const cheap = await post('{"items":[{"id":"beans","quantity":1,"price":1,"priceMinor":1}],"amount":1}')
    assert.equal(cheap.json().amount, 18_990)
    assert.equal((await app.inject({ method: 'DELETE', url: '/orders', headers: json })).statusCode, 405)
    const page = { ...own, accept: 'text/html', 'accept-language': 'en' }
    const missing = await app.inject({ url: '/nothing', headers: page })
    assert.deepEqual([missing.statusCode, /Page not found/.test(missing.payload)], [404, true])
    assert.equal(shop.orders.byId('constructor'), undefined)
  })
})

describe('the live feed', () => {
  it('sends earlier entries to a new listener, contains no whole secret, and ends with the shop', async (t) => {
    const opened = openShop(t)
    await runUntilRegistered(opened)
    const { app, shop } = opened
    const url = `${await listenOnFreePort(app)}/live`
    const listening = networkHttpClient(systemClock).send({
      method: 'GET',
      url,
      headers: own,
      timeoutMs: 20_000,
    })
    while (!shop.live.hasListeners) await systemClock.sleep(5)
    shop.live.publish({ kind: 'event', type: 'payment.succeeded', eventId: 1, body: { key: api.secretKey } })
    await app.close()
    const { headers, body } = await listening
    assert.equal(headers.get('content-type'), 'text/event-stream; charset=utf-8')
    const text = body.toString()
    const entries = [...text.matchAll(/^data: (.*)$/gm)].map(([, line = '']) => JSON.parse(line))
    assert.ok(entries.some(({ path }) => path === '/v1/webhooks'))
    assert.equal(entries.at(-1).type, 'payment.succeeded')
    assert.ok(!text.includes(api.secretKey) && !text.includes(shop.webhook?.secret ?? '?'))
    assert.doesNotMatch(text, /eyJ[\w-]{20}/)
  })

  it('sends each window only the entries it does not have, and accepts sixteen windows', async (t) => {
    const { app, shop } = openShop(t)
    const knownId = api.clock.now().getTime() + 1
    for (const eventId of [1, 2]) shop.live.publish({ kind: 'event', type: 'a', eventId, body: {} })
    const url = `${await listenOnFreePort(app)}/live`
    const listen = (headers = {}) =>
      networkHttpClient(systemClock).send({
        method: 'GET',
        url,
        headers: { ...own, ...headers },
        timeoutMs: 20_000,
      })
    const knowing = listen({ 'last-event-id': String(knownId) })
    const [other, ...others] = Array.from({ length: 15 }, () => listen())
    while (shop.live.hasRoom) await systemClock.sleep(5)
    const { status, headers } = await listen()
    assert.deepEqual([status, headers.get('retry-after')], [503, '5'])
    await app.close()
    const [news, all] = await Promise.all([knowing, other, ...others])
    const eventIdsIn = (body = '') => [...body.matchAll(/"eventId":(\d)/g)].map(([, id]) => id)
    assert.deepEqual(
      [eventIdsIn(news.body.toString()), eventIdsIn(all?.body.toString())],
      [['2'], ['1', '2']],
    )
  })
})
