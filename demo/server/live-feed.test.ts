import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { networkHttpClient } from '../../kit/outbound/http-client.ts'
import { systemClock } from '../../kit/runtime/clock.ts'
import {
  beans,
  check,
  demoShopFixture,
  forgedSecret,
  order,
  others,
  own,
  runUntilRegistered,
  visitor,
} from '../../testing/demo/demo-shop.ts'
import { listenOnFreePort } from '../../testing/till/browser.ts'

const { api, openShop, payment, postEvent } = await demoShopFixture()

describe('the live feed', () => {
  const get = (url: string, headers: object) =>
    networkHttpClient(systemClock).send({ method: 'GET', url, headers: { ...headers }, timeoutMs: 20_000 })

  /** Listens until the shop closes, and returns the entries. */
  async function listen(url: string, headers: object) {
    const { headers: answered, body } = await get(url, headers)
    assert.equal(answered.get('content-type'), 'text/event-stream; charset=utf-8')
    const text = body.toString()
    return { text, entries: [...text.matchAll(/^data: (.*)$/gm)].map(([, line = '']) => JSON.parse(line)) }
  }

  it('shows a visitor the requests, events and webhooks of their own payments only, and no whole secret', async (t) => {
    const opened = openShop(t)
    await runUntilRegistered(opened)
    const { app, shop } = opened
    const secret = shop.webhook?.secret ?? ''
    const { order: id, amount } = await order(app)
    const paid = await payment(amount, id)
    const ofNobody = await payment(amount, 'K-0')
    const url = `${await listenOnFreePort(app)}/live`
    const listening = [listen(url, own), listen(url, others)]
    while (shop.live.listenerCount < 2) await systemClock.sleep(5)
    await check(app, id, paid)
    // Another visitor who guesses the transaction, with an order of their own or none.
    const { order: theirs } = (
      await app.inject({ method: 'POST', url: '/orders', headers: others, payload: { items: beans } })
    ).json()
    await check(app, theirs, paid, others)
    await app.inject({ url: `/thanks?transaction_id=${paid}`, headers: others })
    for (const [transaction, orderId] of [
      [paid, id],
      [ofNobody, 'K-0'],
    ] as const) {
      const metadata = [{ key: 'order', value: orderId }]
      const data = { transaction_id: transaction, amount, metadata, key: api.secretKey }
      shop.report({ kind: 'event', type: 'payment.succeeded', eventId: transaction, body: { data } })
      assert.equal((await postEvent(app, data, { id: orderId, by: secret })).statusCode, 204)
      assert.equal((await postEvent(app, data, { id: 'forged', by: forgedSecret })).statusCode, 400)
    }
    await app.close()
    const [mine, foreign] = await Promise.all(listening)
    const shown = mine?.entries.map(({ kind, path, type }) => `${kind} ${path ?? type}`)
    assert.deepEqual(shown, [
      `server /v1/transaction/${paid}`,
      'event payment.succeeded',
      'webhook payment.succeeded',
    ])
    assert.deepEqual(foreign?.entries, [])
    const text = mine?.text ?? ''
    assert.ok(!text.includes(api.secretKey) && !text.includes(secret))
    assert.doesNotMatch(text, /eyJ[\w-]{20}/)
  })

  it('sends each window only the entries it does not have, and accepts sixteen windows', async (t) => {
    const { app, shop } = openShop(t)
    const knownId = api.clock.now().getTime() + 1
    for (const eventId of [1, 2]) shop.live.publish(visitor, { kind: 'event', type: 'a', eventId, body: {} })
    const url = `${await listenOnFreePort(app)}/live`
    const knowing = listen(url, { ...own, 'last-event-id': String(knownId) })
    const [other, ...more] = Array.from({ length: 15 }, () => listen(url, own))
    while (shop.live.hasRoom) await systemClock.sleep(5)
    const refused = await get(url, own)
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '5'])
    await app.close()
    const [news, all] = await Promise.all([knowing, other, ...more])
    const idsIn = (found: typeof news | undefined) => found?.entries.map(({ eventId }) => eventId)
    assert.deepEqual([idsIn(news), idsIn(all)], [[2], [1, 2]])
  })
})
