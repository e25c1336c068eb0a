import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import { systemClock } from '../../kit/runtime/clock.ts'
import type { Query } from '../../kit/runtime/sql.ts'
import { testApi } from '../../testing/harness/api.ts'
import { testDatabase } from '../../testing/harness/database.ts'
import { sqlWith } from '../../testing/harness/sql.ts'
import { createKey } from './create-key.ts'
import { newKeyText } from './merchant-key.ts'
import { revokeKey } from './revoke-key.ts'

const url = '/v1/token/get-token'
const database = await testDatabase()
const lookUps = { inFlight: 0, most: 0 }
const counted = sqlWith(database.sql, {
  maybe: <Row extends object>(query: Query) => {
    lookUps.inFlight += 1
    lookUps.most = Math.max(lookUps.most, lookUps.inFlight)
    return database.sql.maybe<Row>(query).finally(() => {
      lookUps.inFlight -= 1
    })
  },
})
const api = await testApi({
  env: { FAILED_CREDENTIALS_PER_MINUTE: '2', TRUSTED_PROXIES: '127.0.0.1' },
  database: { ...database, sql: counted },
})
const good = { method: 'POST', url, token: api.secretKey } as const

/** Sends an invalid credential as this sender. */
function fail(sender: string, token = 'nobody') {
  return api.callAtOnce({ method: 'POST', url, token, headers: { 'x-forwarded-for': sender } })
}

/** A sender that has reached its limit of failures. */
async function overLimit(sender: string): Promise<string> {
  await api.call(good)
  for (let failed = 0; failed < 2; failed++) assert.equal((await fail(sender)).status, 401)
  assert.equal((await fail(sender)).status, 429)
  return sender
}

describe('a sender over its limit', () => {
  /**
   * Sends a hundred invalid credentials and then a valid one. Returns the number of responses before that of
   * the valid one.
   */
  async function answeredBefore(sender: string, path: string, bad: string): Promise<number> {
    const headers = { 'x-forwarded-for': sender }
    const answered: string[] = []
    const note = (who: string) => () => answered.push(who)
    const sent = Array.from({ length: 100 }, () =>
      api.callAtOnce({ method: 'POST', url: path, token: bad, headers }).then(note('bad')),
    )
    sent.push(api.callAtOnce({ ...good, headers }).then(note('good')))
    await Promise.all(sent)
    return answered.indexOf('good')
  }

  it('waits behind senders with a cached credential, however much it sends', async () => {
    const sender = await overLimit('203.0.113.1')
    assert.ok((await answeredBefore(sender, url, 'nobody')) < 20)
    assert.ok((await answeredBefore(sender, '/v1/payment/3ds', 'nobody')) < 20)
  })

  it('also waits behind them with a revoked key and its token', async () => {
    const sender = await overLimit('203.0.113.5')
    const { key, text } = await createKey(api.services, api.merchant, 'secret', 'to be revoked')
    const token = await api.token(text)
    assert.equal((await api.call({ url: '/v1/webhooks', token })).status, 200)
    await revokeKey(api.services, key.id)
    for (const [path, bad] of [
      [url, text],
      ['/v1/payment/3ds', token],
    ] as const) {
      await api.call(good)
      assert.equal((await api.callAtOnce({ method: 'POST', url: path, token: bad })).status, 401)
      assert.ok((await answeredBefore(sender, path, bad)) < 20, path)
    }
  })

  it('is admitted with a valid key that was never used before, and with its token', async () => {
    const sender = await overLimit('203.0.113.2')
    const { text } = await createKey(api.services, api.merchant, 'secret', 'new')
    const headers = { 'x-forwarded-for': sender }
    const flood = Array.from({ length: 20 }, () => fail(sender))
    const { status, json } = await api.callAtOnce({ method: 'POST', url, token: text, headers })
    assert.equal(status, 200)
    const token = json.data.access_token
    assert.equal((await api.callAtOnce({ url: '/v1/webhooks', token, headers })).status, 200)
    assert.ok((await Promise.all(flood)).every((answer) => answer.status === 429))
  })

  it('has only a few unknown keys looked up at a time', async () => {
    const sender = await overLimit('203.0.113.3')
    lookUps.most = 0
    const keys = Array.from({ length: 30 }, () => newKeyText('secret', false, api.services.random))
    const answers = await Promise.all(keys.map((key) => fail(sender, key)))
    assert.ok(answers.every(({ status }) => status === 429))
    assert.equal(lookUps.most, 4)
  })

  it('gets one log line a second, with the number of refusals', async () => {
    const lines = () =>
      api.lines.map((line) => JSON.parse(line)).filter((line) => JSON.stringify(line).includes('203.0.113.4'))
    const limited = async () => {
      const metric = api.services.metrics.registry.getSingleMetric('vezne_limited_requests_total')
      return (await metric?.get())?.values[0]?.value ?? 0
    }
    const limitedBefore = await limited()
    const sender = await overLimit('203.0.113.4')
    await Promise.all(Array.from({ length: 50 }, () => fail(sender)))
    assert.deepEqual(
      lines().map(({ msg, status, count }) => [msg, status ?? count]),
      [
        ['request', 401],
        ['request', 401],
        ['requests of a sender with too many bad credentials were answered 429', 1],
      ],
    )
    api.clock.advance(999)
    await fail(sender)
    assert.equal(lines().length, 3)
    api.clock.advance(1)
    await fail(sender)
    assert.deepEqual(
      lines()
        .slice(3)
        .map(({ count }) => count),
      [51],
    )
    api.clock.advance(1_000)
    // The last refusals are logged without a further request.
    while (lines().length < 5) await systemClock.sleep(1)
    assert.equal(lines().at(-1).count, 1)
    assert.equal((await limited()) - limitedBefore, 53, 'the metrics count every one')
  })

  it('cannot fill the memory over one connection: pipelined requests are answered, then the connection is closed', async () => {
    const sender = await overLimit('198.51.100.7')
    const address = new URL(await api.app.listen({ port: 0, host: '127.0.0.1' }))
    const socket = connect(Number(address.port), '127.0.0.1')
    const bad = `GET /v1/webhooks HTTP/1.1\r\nhost: a\r\nx-forwarded-for: ${sender}\r\nauthorization: Bearer x\r\n\r\n`
    socket.on('error', () => undefined)
    socket.write(bad.repeat(2_000))
    const answers = (await text(socket)).split('HTTP/1.1 ').slice(1)
    assert.ok(answers.length >= 2 && answers.length < 2_000, `${answers.length}`)
    assert.ok(answers.every((answer) => answer.startsWith('429')))
    assert.match(answers.at(-1) ?? '', /^connection: close/im)
  })
})
