import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../../../kit/runtime/sql.ts'
import { testApi } from '../../../testing/harness/api.ts'
import { backendOf } from '../../../testing/harness/backend.ts'
import { newTestWebhook, seedDelivery, seedWebhookHealth } from '../../../testing/seed/delivery.ts'
import { purgeDeliveries } from '../deliver/purge-deliveries.ts'

const api = await testApi({ env: { RATE_LIMIT_PER_SECOND: '0' } })
const backend = backendOf(api)
const { services, merchant } = api

describe('200', () => {
  it('it is not found any more, its secrets are erased, and other webhooks keep theirs', async () => {
    const [webhook, other] = [
      await newTestWebhook(services, merchant),
      await newTestWebhook(services, merchant),
    ]
    const url = `/v1/webhooks/${webhook.id}`
    const delivery = await seedDelivery(services, webhook)
    await seedWebhookHealth(services, webhook, { failingSince: services.clock.now() })
    await backend.send({ method: 'POST', url: `${url}/rotate-secret` })
    const { status, json } = await backend.delete(url, { 'accept-language': 'en' })
    assert.equal(status, 200)
    assert.deepEqual(json, {
      status: true,
      message: 'The webhook was deleted.',
      errors: [],
      error_code: null,
      data: null,
    })
    for (const path of [url, `${url}/deliveries`, `${url}/deliveries/${delivery}`])
      assert.equal((await backend.get(path)).json.error_code, 920)
    for (const path of ['', '/test', '/rotate-secret'])
      assert.equal((await backend.form(url + path, {})).json.error_code, 920)
    assert.equal((await backend.form(`${url}/resend-failed`, { since: '2026-11-15' })).json.error_code, 920)
    assert.equal((await backend.delete(url)).json.error_code, 920)
    assert.deepEqual(
      (await backend.get('/v1/webhooks')).json.map(({ id }: { id: number }) => id),
      [other.id],
    )
    const left = await services.sql.many<{ webhook_id: number }>(sql`select webhook_id from webhook_secrets
      union all select webhook_id from webhook_health`)
    assert.deepEqual(left, [{ webhook_id: other.id }])
  })

  it('an unused webhook is removed immediately; a used one when its deliveries are purged', async () => {
    const unused = await newTestWebhook(services, merchant)
    const used = await newTestWebhook(services, merchant)
    await seedDelivery(services, used)
    for (const { id } of [unused, used]) await backend.delete(`/v1/webhooks/${id}`)
    const left = async () => {
      const ids = [unused.id, used.id]
      return services.sql.many(sql`select id from webhooks where id = any(${ids}::bigint[])`)
    }
    assert.deepEqual(await left(), [{ id: used.id }])
    await purgeDeliveries(services)
    assert.deepEqual(await left(), [{ id: used.id }])
    api.clock.advance(2 * (services.config.deliveryDays + 1) * 24 * 3600 * 1000)
    await purgeDeliveries(services)
    api.clock.advance((services.config.deliveryDays + 1) * 24 * 3600 * 1000)
    await purgeDeliveries(services)
    assert.deepEqual(await left(), [])
  })
})

describe('401', () => {
  it('without a token nothing is deleted', async () => {
    assert.equal((await api.call({ method: 'DELETE', url: '/v1/webhooks/10000000000001' })).status, 401)
  })
})

describe('403', () => {
  it('a token made from a public key deletes nothing', async () => {
    const token = await api.token(api.publicKey)
    const answer = await api.call({ method: 'DELETE', url: '/v1/webhooks/10000000000001', token })
    assert.equal(answer.json.error_code, 912)
  })
})

describe('404', () => {
  it('another merchant’s webhook is not found, and is not deleted', async () => {
    const webhook = await newTestWebhook(services, merchant)
    const stranger = backendOf(await testApi({ database: api.database }))
    assert.equal((await stranger.delete(`/v1/webhooks/${webhook.id}`)).json.error_code, 920)
    assert.equal((await backend.get(`/v1/webhooks/${webhook.id}`)).status, 200)
  })
})
