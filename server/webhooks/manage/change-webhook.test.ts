import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../../../kit/runtime/sql.ts'
import { testApi } from '../../../testing/harness/api.ts'
import { backendOf } from '../../../testing/harness/backend.ts'
import { untilLockIsAwaited } from '../../../testing/harness/database.ts'
import { newTestWebhook, seedWebhookHealth } from '../../../testing/seed/delivery.ts'
import { setWebhookStatus } from '../operator/disable-webhook.ts'
import { webhookById } from '../records/webhook.sql.ts'
import type { DisabledReason, Webhook } from '../records/webhook.ts'

const api = await testApi({ env: { RATE_LIMIT_PER_SECOND: '0', WEBHOOKS_PER_MERCHANT: '100' } })
const backend = backendOf(api)
const { services, merchant, clock } = api
const pathOf = ({ id }: Pick<Webhook, 'id'>) => `/v1/webhooks/${id}`
const minuteMs = 60_000

async function failing(because?: DisabledReason) {
  const webhook = await newTestWebhook(services, merchant)
  const since = clock.now()
  await seedWebhookHealth(services, webhook, { pausedUntil: since, failingSince: since })
  if (because)
    await services.sql.run(sql`update webhooks set status = 'disabled', disabled_because = ${because}
      where id = ${webhook.id}`)
  return webhook
}

const isFailing = async ({ id }: Pick<Webhook, 'id'>) =>
  (await services.sql.many(sql`select from webhook_health where webhook_id = ${id}`)).length > 0

describe('200', () => {
  it('changes only the given fields, and returns the whole webhook', async () => {
    const webhook = await newTestWebhook(services, merchant, {
      events: ['payment.failed'],
      description: 'Eski',
    })
    clock.advance(minuteMs)
    const { json } = await backend.form(pathOf(webhook), { description: 'Yeni' })
    const before = (await backend.get(pathOf(webhook))).json
    assert.deepEqual(json, before)
    assert.deepEqual([json.description, json.events, json.url], ['Yeni', ['payment.failed'], webhook.url])
    assert.ok(json.updated_at > json.created_at)
    const other = { url: 'https://other.example/?a=1', events: ['refund.failed', 'refund.executed'] }
    const changed = (await backend.json(pathOf(webhook), other)).json
    assert.deepEqual(changed, { ...before, ...other })
  })

  it('an empty value clears a field: no description, and all kinds', async () => {
    for (const events of ['', [], null, ['*']]) {
      const webhook = await newTestWebhook(services, merchant, {
        events: ['payment.failed'],
        description: 'x',
      })
      const { json } = await backend.json(pathOf(webhook), { events, description: '' })
      assert.deepEqual([json.events, json.description], [['*'], null])
    }
  })

  it('a request that changes nothing does not touch the webhook', async () => {
    const webhook = await newTestWebhook(services, merchant, { events: ['payment.failed'] })
    const before = (await backend.get(pathOf(webhook))).text
    clock.advance(minuteMs)
    for (const body of [{}, { url: webhook.url, events: ['payment.failed'], status: 'enabled' }])
      assert.equal((await backend.json(pathOf(webhook), body)).text, before)
  })

  it('a merchant’s disabling is stored as the reason, unless the webhook is already disabled for another', async () => {
    const webhook = await newTestWebhook(services, merchant)
    assert.equal((await backend.form(pathOf(webhook), { status: 'disabled' })).json.status, 'disabled')
    assert.equal((await webhookById(services.sql, webhook))?.disabledBecause, 'merchant')
    const gone = await failing('gone')
    await backend.form(pathOf(gone), { status: 'disabled', description: 'x' })
    assert.equal((await webhookById(services.sql, gone))?.disabledBecause, 'gone')
  })

  it('enabling resets the reason and the failure period', async () => {
    for (const because of ['merchant', 'gone', 'failing'] as const) {
      const webhook = await failing(because)
      assert.equal((await backend.form(pathOf(webhook), { status: 'enabled' })).json.status, 'enabled')
      assert.equal((await webhookById(services.sql, webhook))?.disabledBecause, null)
      assert.equal(await isFailing(webhook), false)
    }
  })

  it('a webhook that operators disabled can be enabled by operators only', async () => {
    const webhook = await failing('operator')
    const refused = await backend.form(pathOf(webhook), { status: 'enabled', description: 'x' })
    assert.deepEqual([refused.status, Object.keys(refused.json.errors)], [422, ['status']])
    assert.equal((await webhookById(services.sql, webhook))?.status, 'disabled')
    assert.equal((await backend.form(pathOf(webhook), { status: 'disabled', description: 'y' })).status, 200)
    assert.equal((await webhookById(services.sql, webhook))?.disabledBecause, 'operator')
  })

  it('concurrent changes do not undo each other: a webhook that operators disable stays disabled', async () => {
    const webhook = await newTestWebhook(services, merchant)
    let changing: ReturnType<typeof backend.form> | undefined
    await services.sql.transaction(async (transaction) => {
      await setWebhookStatus({ ...services, sql: transaction }, webhook.id, 'disabled')
      changing = backend.form(pathOf(webhook), { description: 'x' })
      await untilLockIsAwaited(services.sql)
    })
    assert.equal((await changing)?.json.status, 'disabled')
    const { disabledBecause, description } = (await webhookById(services.sql, webhook)) ?? assert.fail()
    assert.deepEqual([disabledBecause, description], ['operator', 'x'])
  })

  it('a new address resets the failure period too; other changes do not', async () => {
    const webhook = await failing()
    await backend.form(pathOf(webhook), { description: 'x', status: 'enabled' })
    await backend.form(pathOf(webhook), { url: webhook.url, events: '["payment.failed"]' })
    assert.equal(await isFailing(webhook), true)
    await backend.form(pathOf(webhook), { url: 'https://new.example/' })
    assert.equal(await isFailing(webhook), false)
  })
})

describe('401', () => {
  it('without a token nothing changes', async () => {
    assert.equal((await api.call({ method: 'POST', url: '/v1/webhooks/10000000000001' })).status, 401)
  })
})

describe('403', () => {
  it('a token made from a public key changes nothing', async () => {
    const token = await api.token(api.publicKey)
    const answer = await api.call({ method: 'POST', url: '/v1/webhooks/10000000000001', token })
    assert.equal(answer.json.error_code, 912)
  })
})

describe('404', () => {
  it('another merchant’s webhook is not found, and does not change', async () => {
    const webhook = await newTestWebhook(services, merchant)
    const stranger = backendOf(await testApi({ database: api.database }))
    const answer = await stranger.form(pathOf(webhook), { description: 'x' })
    assert.equal(answer.json.error_code, 920)
    assert.equal((await webhookById(services.sql, webhook))?.description, null)
  })
})

describe('422', () => {
  it('a change must meet the rules of creation; a refused one changes nothing', async () => {
    const webhook = await newTestWebhook(services, merchant, { events: ['payment.failed'] })
    const before = (await backend.get(pathOf(webhook))).text
    for (const [body, names] of [
      [{ url: '' }, ['url']],
      [{ url: 'http://192.168.0.1/' }, ['url']],
      [{ url: 'https://shop.example:22/' }, ['url']],
      [{ events: ['x'] }, ['events.0']],
      [{ events: ['refund.failed', 'refund.failed'] }, ['events.1']],
      [{ status: 'paused' }, ['status']],
      [{ status: '' }, ['status']],
      [{ url: 'http://192.168.0.1/', status: 'x' }, ['status', 'url']],
    ] as const) {
      const answer = await backend.json(pathOf(webhook), body)
      assert.equal(answer.status, 422, JSON.stringify(body))
      assert.deepEqual(Object.keys(answer.json.errors).toSorted(), names)
    }
    assert.equal((await backend.get(pathOf(webhook))).text, before)
  })
})
