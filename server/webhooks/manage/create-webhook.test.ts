import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../../../kit/runtime/sql.ts'
import { testApi } from '../../../testing/harness/api.ts'
import { backendOf } from '../../../testing/harness/backend.ts'
import { untilLockIsAwaited } from '../../../testing/harness/database.ts'
import { eventKinds } from '../../events/index.ts'
import { createWebhook } from './create-webhook.ts'

const env = { RATE_LIMIT_PER_SECOND: '0' }
const url = '/v1/webhooks'
const address = 'https://shop.example/webhooks?shop=7'

const api = await testApi({ env })
const backend = backendOf(api)
const room = { ...env, WEBHOOKS_PER_MERCHANT: '1000' }
const roomy = backendOf(await testApi({ env: room, database: api.database }))

describe('200', () => {
  it('the webhook is returned without an envelope, with its secret, subscribed to all kinds', async () => {
    const { status, json, headers } = await backend.form(url, {
      url: address,
      description: ' Sipariş sistemi ',
    })
    assert.equal(status, 200)
    const { id, secret, ...rest } = json
    assert.deepEqual(rest, {
      url: address,
      events: ['*'],
      description: 'Sipariş sistemi',
      status: 'enabled',
      created_at: '2026-11-15T09:30:00+03:00',
      updated_at: '2026-11-15T09:30:00+03:00',
    })
    assert.match(String(id), /^\d{14}$/)
    // Standard Webhooks requires a prefix, and 24 to 64 bytes in base64.
    assert.equal(Buffer.from(/^whsec_([\w+/]+=*)$/.exec(secret)?.[1] ?? '', 'base64').length, 32)
    assert.equal(headers['cache-control'], 'no-store')
  })

  it('the secret is shown once, is stored sealed only, and is not logged', async () => {
    const { id, secret } = (await backend.form(url, { url: address })).json
    for (const path of [url, `${url}/${id}`]) assert.ok(!(await backend.get(path)).text.includes('whsec'))
    const { bytes: sealed } = await api.services.sql.one<{ bytes: Buffer }>(
      sql`select bytes from webhook_secrets where webhook_id = ${id}`,
    )
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    assert.ok(!sealed.includes(key) && !sealed.includes(secret))
    assert.ok(!api.lines.some((line) => line.includes(secret.slice(6))))
    const another = await backend.form(url, { url: address })
    assert.notEqual(another.json.secret, secret)
  })

  it('a response with a secret is not stored: an Idempotency-Key has no effect', async () => {
    const [one, other] = [
      await roomy.form(url, { url: address }, { 'idempotency-key': 'k' }),
      await roomy.form(url, { url: address }, { 'idempotency-key': 'k' }),
    ]
    assert.notEqual(one.json.id, other.json.id)
    assert.equal(other.headers['idempotency-replayed'], undefined)
  })

  it('it is subscribed to the given kinds, as a form or as JSON; without any, or with *, to all', async () => {
    const kinds = ['refund.executed', 'payment.failed']
    const sent = [
      roomy.json(url, { url: address, events: kinds }),
      roomy.form(url, `url=${encodeURIComponent(address)}&events[]=${kinds[0]}&events[]=${kinds[1]}`),
      roomy.form(url, { url: address, events: JSON.stringify(kinds) }),
    ]
    for (const { json } of await Promise.all(sent)) assert.deepEqual(json.events, kinds)
    for (const events of [undefined, null, '', [], ['*']])
      assert.deepEqual((await roomy.json(url, { url: address, events })).json.events, ['*'])
    assert.deepEqual((await roomy.json(url, { url: address, events: eventKinds })).json.events, [
      ...eventKinds,
    ])
  })

  it('a test merchant on the embedded database may use an http address of this machine', async () => {
    const { status, json } = await roomy.form(url, { url: 'http://localhost:3000/hooks' })
    assert.deepEqual([status, json.url], [200, 'http://localhost:3000/hooks'])
  })
})

describe('401', () => {
  it('without a token nothing is created', async () => {
    const answer = await api.call({ method: 'POST', url, form: `url=${address}` })
    assert.deepEqual([answer.status, answer.json.error_code], [401, 910])
  })
})

describe('403', () => {
  it('a token made from a public key creates nothing', async () => {
    const token = await api.token(api.publicKey)
    const answer = await api.call({ method: 'POST', url, token, form: `url=${address}` })
    assert.deepEqual([answer.status, answer.json.error_code], [403, 912])
  })
})

describe('422', () => {
  const faults = async (body: object, sender = roomy): Promise<Record<string, string[]>> => {
    const answer = await sender.json(url, body, { 'accept-language': 'en' })
    assert.deepEqual([answer.status, answer.json.error_code], [422, 901], answer.text)
    return answer.json.errors
  }

  it('an address is required', async () => {
    assert.deepEqual(await faults({}), { url: ['This field is required.'] })
  })

  it('an unknown kind is refused at its index, with a list of the kinds', async () => {
    const errors = await faults({ url: address, events: ['payment.failed', 'payment.succeded'] })
    assert.deepEqual(errors, { 'events.1': [`Must be one of: ${eventKinds.join(', ')}, *.`] })
  })

  it('a kind can be given once, and * only alone', async () => {
    assert.deepEqual(await faults({ url: address, events: ['payment.failed', 'payment.failed'] }), {
      'events.1': ['payment.failed: Sent more than once.'],
    })
    for (const events of [
      ['*', 'payment.failed'],
      ['payment.failed', '*'],
    ])
      assert.deepEqual(await faults({ url: address, events }), {
        'events.1': ['`*` means all types; it cannot be sent with another type.'],
      })
  })

  it('all complaints are in one response', async () => {
    const errors = await faults({
      url: 'http://10.0.0.1/',
      events: ['payment.failed', 'payment.failed', 'x'],
      description: 'a'.repeat(1001),
    })
    assert.deepEqual(Object.keys(errors).toSorted(), ['description', 'events.1', 'events.2', 'url'])
  })

  it('a live merchant’s address must be https on the public internet', async () => {
    const live = backendOf(await testApi({ env, live: true, database: api.database }))
    for (const [wrong, sentence] of [
      ['http://shop.example/', /begin with https/],
      ['https://localhost/', /public internet/],
      ['https://127.0.0.1/', /public internet/],
      ['https://169.254.169.254/', /public internet/],
      ['https://shop.example:25/', /port/],
    ] as const)
      assert.match((await faults({ url: wrong }, live))['url']?.join() ?? '', sentence)
    assert.equal((await live.form(url, { url: address })).status, 200)
  })

  it('with an external database no merchant may use an address of this machine', async () => {
    const served = { ...room, DATABASE_URL: 'postgres://db.example/vezne' }
    const other = backendOf(await testApi({ env: served, database: api.database }))
    assert.deepEqual(Object.keys(await faults({ url: 'http://localhost:3000/' }, other)), ['url'])
  })

  it('if LOOPBACK_WEBHOOKS is never, a test merchant may not use an address of this machine', async () => {
    const closed = { ...room, LOOPBACK_WEBHOOKS: 'never' }
    const other = backendOf(await testApi({ env: closed, database: api.database }))
    for (const url of ['http://localhost:3000/', 'http://127.0.0.1/', 'http://[::1]:8080/'])
      assert.match((await faults({ url }, other))['url']?.join() ?? '', /public internet/)
  })
})

describe('422, too many', () => {
  it('a merchant has twenty webhooks at most, and deleting one makes room', async () => {
    const shop = backendOf(await testApi({ env, database: api.database }))
    const ids: number[] = []
    for (let count = 0; count < 20; count++) ids.push((await shop.form(url, { url: address })).json.id)
    const answer = await shop.form(url, { url: address }, { 'accept-language': 'en' })
    assert.equal(answer.status, 422)
    assert.deepEqual(answer.json.errors, { url: ['At most 20 webhooks are allowed. Delete one first.'] })
    // The complaint comes together with others.
    const wrong = await shop.json(url, { url: address, events: ['x'] })
    assert.deepEqual(Object.keys(wrong.json.errors), ['events.0', 'url'])
    await shop.delete(`${url}/${ids[7]}`)
    assert.equal((await shop.form(url, { url: address })).status, 200)
    assert.equal((await shop.get(url)).json.length, 20)
  })

  it('concurrent requests cannot exceed the limit', async () => {
    const shop = await testApi({ env: { ...env, WEBHOOKS_PER_MERCHANT: '3' }, database: api.database })
    const own = backendOf(shop)
    await own.form(url, { url: address })
    await own.form(url, { url: address })
    const sending: Promise<{ status: number }>[] = []
    await shop.services.sql.transaction(async (transaction) => {
      await createWebhook({ ...shop.services, sql: transaction }, shop.merchant, { url: address })
      sending.push(own.form(url, { url: address }), own.form(url, { url: address }))
      await untilLockIsAwaited(shop.services.sql, 2)
    })
    for (const { status } of await Promise.all(sending)) assert.equal(status, 422)
    assert.equal((await own.get(url)).json.length, 3)
  })
})
