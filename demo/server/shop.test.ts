import assert from 'node:assert/strict'
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { systemClock } from '../../kit/runtime/clock.ts'
import { TaskGroup } from '../../kit/runtime/task-group.ts'
import { startDemoShop } from '../../server/demo-shop.ts'
import { ensureDemoMerchant } from '../../server/merchants/index.ts'
import {
  check,
  demoShopFixture,
  forgedSecret,
  order,
  others,
  own,
  runUntilRegistered,
  webhookSecret,
} from '../../testing/demo/demo-shop.ts'
import { testApi } from '../../testing/harness/api.ts'
import { backendOf } from '../../testing/harness/backend.ts'
import { TestClock } from '../../testing/harness/clock.ts'
import { makeHome } from '../../testing/harness/embedded-home.ts'
import { freePorts } from '../../testing/harness/process.ts'
import { listenOnFreePort } from '../../testing/till/browser.ts'
import { ShopFile } from './shop-file.ts'

const { api, apiUrl, openShop, payment, postEvent } = await demoShopFixture()

const backend = backendOf(api)

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
    const { outcome, compared } = await check(app, other, outcomes.paid)
    assert.deepEqual(
      [outcome, compared],
      ['other', []],
      'the payment of another order, perhaps of another visitor',
    )
    for (const forged of ['', '1', 'x', '..%2F..%2Fwebhooks', `${outcomes.paid}0`])
      assert.equal((await check(app, id, forged)).outcome, 'unknown', forged)
    assert.equal((await check(app, 'K-0', outcomes.paid)).message, 'There is no such order.')
    assert.equal((await check(app, id, outcomes.paid, others)).message, 'There is no such order.')
    const { app: alone } = openShop(t, { apiAt: 'http://127.0.0.1:9' })
    const { order: unasked } = await order(alone)
    assert.equal((await check(alone, unasked, outcomes.paid)).outcome, 'unreachable')
  })

  it('returns the same when the payer comes back from the payment page, in either language', async (t) => {
    const { app } = openShop(t)
    const { order: id, amount } = await order(app)
    const paid = await payment(amount, id)
    const thanks = async (query: string, language = 'en', by = own) => {
      const headers = { ...by, 'accept-language': language }
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
    assert.equal(
      await thanks(`transaction_id=${paid}`, 'en', others),
      'This payment is not for this order',
      'another visitor learns nothing',
    )
    assert.equal(await thanks('transaction_id=12345678901234'), 'There is no such transaction')
    assert.equal(await thanks('transaction_id=%3Cscript%3E'), 'There is no such transaction')
  })

  it('finds the payment that the server has started for the order, whatever the browser sends', async (t) => {
    const { app } = openShop(t)
    const post = (payload: object, by = app) =>
      by.inject({ method: 'POST', url: '/checkout?lang=en', headers: own, payload })
    const items = [{ id: 'beans', quantity: 2, price: 1 }]
    const { order: id, transaction_id, payment_page_url } = (await post({ items, amount: 1 })).json()
    const page = new URL(payment_page_url)
    assert.deepEqual([page.origin, page.searchParams.get('lang')], ['http://localhost:4243', 'en'])
    const { amount, metadata } = (await backend.get(`/v1/transaction/${transaction_id}`)).json
    assert.deepEqual([amount, metadata], [37_980, [{ key: 'order', value: id }]])
    assert.equal((await check(app, id, transaction_id)).outcome, 'waiting')
    assert.equal((await post({ items: [] })).statusCode, 422)
    const { app: alone } = openShop(t, { apiAt: 'http://127.0.0.1:9' })
    const refused = await post({ items }, alone)
    assert.deepEqual(
      [refused.statusCode, refused.json().message],
      [502, 'The payment could not be started. Please try again in a moment.'],
    )
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
  it('marks its order as paid if it is signed, recent and correct, and counts once', async (t) => {
    const { shop, app } = openShop(t)
    shop.webhook = { id: 1, secret: webhookSecret }
    const { order: id, amount } = await order(app)
    const metadata = [{ key: 'order', value: id }]
    const status = { payment_status_text: 'success', transaction_status_text: 'completed' }
    const paid = { transaction_id: 7, amount, currency_code: 'TRY', metadata, ...status }
    const forged = [
      postEvent(app, paid, { by: forgedSecret }),
      postEvent(app, paid, { agoS: 301 }),
      postEvent(app, paid, { agoS: -301 }),
      app.inject({ method: 'POST', url: '/webhooks', headers: own, payload: paid }),
    ]
    for (const { statusCode } of await Promise.all(forged)) assert.equal(statusCode, 400)
    assert.equal((await postEvent(app, { ...paid, amount: 100 }, { id: 'other' })).statusCode, 204)
    assert.equal(shop.orders.byId(id)?.paidBy, undefined)
    for (const agoS of [0, 299]) assert.equal((await postEvent(app, paid, { agoS })).statusCode, 204)
    assert.deepEqual([shop.orders.byId(id)?.paidBy, shop.knownEvents.size], [7, 2])
    // A signed request that contains no event is not remembered as processed.
    assert.equal((await postEvent(app, {}, { id: 'empty' })).statusCode, 400)
    shop.webhook = undefined
    assert.equal((await postEvent(app, paid)).statusCode, 503, 'it comes again once the secret is known')
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
  it('have the strictest policy that the element works with, and set one cookie that no script can read', async (t) => {
    const { app } = openShop(t)
    const { headers, payload } = await app.inject({ url: '/', headers: { host: own.host } })
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
    const cookie = String(headers['set-cookie'])
    assert.match(cookie, /^demo-shop-4247=[\w-]{22}; Path=\/; HttpOnly; SameSite=Lax$/)
    const setAgain = async (sent: string) =>
      (await app.inject({ url: '/', headers: { ...own, cookie: sent } })).headers['set-cookie'] !== undefined
    const [known = ''] = cookie.split(';')
    assert.deepEqual(
      [await setAgain(`a=b; ${known}`), await setAgain(`${known}x`), await setAgain(`x${known}`)],
      [false, true, true],
    )
    assert.ok(!payload.includes(api.secretKey), 'the secret key stays on the server')
  })

  it('have an icon', async (t) => {
    const { app } = openShop(t)
    const { headers } = await app.inject({ url: '/favicon.ico', headers: own })
    assert.equal(headers['content-type'], 'image/x-icon')
  })

  it('have the name of the demo merchant in both languages', async (t) => {
    const { app } = openShop(t)
    const config = { ...api.services.config, home: makeHome(t) }
    const { merchant } = await ensureDemoMerchant({ ...api.services, config })
    for (const language of ['tr', 'en']) {
      const { payload } = await app.inject({ url: `/?lang=${language}`, headers: own })
      assert.ok(payload.includes(`<span>${merchant.name}</span>`), language)
    }
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
