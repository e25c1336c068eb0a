import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../../../kit/runtime/sql.ts'
import { testApi } from '../../../testing/harness/api.ts'
import { backendOf } from '../../../testing/harness/backend.ts'
import { untilLockIsAwaited } from '../../../testing/harness/database.ts'
import { newTestWebhook } from '../../../testing/seed/delivery.ts'
import { deliveryTargetOfWebhook } from '../deliver/store.ts'
import { openSecret } from '../records/secrets.ts'
import type { Webhook } from '../records/webhook.ts'
import { rotateSecret } from './rotate-secret.ts'

const hourMs = 60 * 60 * 1000

const api = await testApi({ env: { RATE_LIMIT_PER_SECOND: '0' } })
const backend = backendOf(api)
const { services, merchant, clock } = api

const rotate = ({ id }: Pick<Webhook, 'id'>) =>
  backend.send({ method: 'POST', url: `/v1/webhooks/${id}/rotate-secret` })

/** Secrets that would sign a delivery now, the newest first. */
async function signing(webhook: Pick<Webhook, 'merchantId' | 'id'>): Promise<string[]> {
  const target = await deliveryTargetOfWebhook(services.sql, webhook, clock.now())
  return (target?.secrets ?? []).map((sealed) => openSecret(services, sealed))
}

describe('200', () => {
  it('returns the webhook with a new secret, once, and both secrets sign for a day', async () => {
    const webhook = await newTestWebhook(services, merchant)
    clock.advance(hourMs)
    const { status, json } = await rotate(webhook)
    assert.equal(status, 200)
    const { secret, ...rest } = json
    assert.match(secret, /^whsec_/)
    assert.notEqual(secret, webhook.secret)
    const read = await backend.get(`/v1/webhooks/${webhook.id}`)
    assert.deepEqual(read.json, rest)
    assert.deepEqual(await signing(webhook), [secret, webhook.secret])
    clock.advance(24 * hourMs - 1)
    assert.deepEqual(await signing(webhook), [secret, webhook.secret])
    clock.advance(1)
    assert.deepEqual(await signing(webhook), [secret])
  })

  it('after many rotations the five newest secrets sign, and the others are deleted', async () => {
    const webhook = await newTestWebhook(services, merchant)
    const secrets = [webhook.secret]
    for (let count = 0; count < 7; count++) {
      // Some rotations have the same time.
      if (count % 2 === 0) clock.advance(1000)
      secrets.unshift((await rotate(webhook)).json.secret)
    }
    assert.deepEqual((await signing(webhook)).toSorted(), secrets.slice(0, 5).toSorted())
    clock.advance(24 * hourMs)
    const last = (await rotate(webhook)).json.secret
    assert.deepEqual(await signing(webhook), [last, secrets[0]])
    const rows = await services.sql.many(sql`select id from webhook_secrets where webhook_id = ${webhook.id}`)
    assert.equal(rows.length, 2)
  })

  it('concurrent rotations leave one newest secret, and all of them sign', async () => {
    const webhook = await newTestWebhook(services, merchant)
    const sending: ReturnType<typeof rotate>[] = []
    const made = await services.sql.transaction(async (transaction) => {
      const { secret } = await rotateSecret({ ...services, sql: transaction }, merchant, webhook.id)
      sending.push(rotate(webhook), rotate(webhook))
      await untilLockIsAwaited(services.sql, 2)
      return secret
    })
    const secrets = (await Promise.all(sending)).map(({ json }) => json.secret as string)
    assert.deepEqual((await signing(webhook)).toSorted(), [webhook.secret, made, ...secrets].toSorted())
  })

  it('an Idempotency-Key has no effect', async () => {
    const webhook = await newTestWebhook(services, merchant)
    const url = `/v1/webhooks/${webhook.id}/rotate-secret`
    const one = await backend.form(url, {}, { 'idempotency-key': 'k' })
    const other = await backend.form(url, {}, { 'idempotency-key': 'k' })
    assert.notEqual(one.json.secret, other.json.secret)
  })
})

const nowhere = { method: 'POST', url: '/v1/webhooks/10000000000001/rotate-secret' } as const

describe('401', () => {
  it('without a token nothing is rotated', async () => {
    assert.equal((await api.call(nowhere)).status, 401)
  })
})

describe('403', () => {
  it('a token made from a public key rotates nothing', async () => {
    assert.equal((await api.call({ ...nowhere, token: await api.token(api.publicKey) })).json.error_code, 912)
  })
})

describe('404', () => {
  it('another merchant’s webhook is not found, and keeps its secret', async () => {
    const webhook = await newTestWebhook(services, merchant)
    const stranger = backendOf(await testApi({ database: api.database }))
    const answer = await stranger.form(`/v1/webhooks/${webhook.id}/rotate-secret`, {})
    assert.equal(answer.json.error_code, 920)
    assert.deepEqual(await signing(webhook), [webhook.secret])
  })
})
