import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Refused } from '../../../kit/input/refusals.ts'
import { isoTime } from '../../../kit/text/zoned-time.ts'
import { testApi } from '../../../testing/harness/api.ts'
import { backendOf } from '../../../testing/harness/backend.ts'
import { runTypedCommand } from '../../../testing/harness/command-line.ts'
import {
  newTestWebhook,
  seedDelivery,
  seedListedEvent,
  seedWebhookHealth,
} from '../../../testing/seed/delivery.ts'
import { webhookById } from '../records/webhook.sql.ts'

const hourMs = 60 * 60 * 1000

const api = await testApi({ env: { RATE_LIMIT_PER_SECOND: '0' } })
const { services, merchant, clock } = api
const backend = backendOf(api)
const later = (hours: number) => new Date(clock.now().getTime() + hours * hourMs)
const type = (...words: (string | number)[]) => runTypedCommand(services, words.map(String))

/** Complaints that a command is refused with, by parameter. */
async function refused(...words: (string | number)[]): Promise<Record<string, string[]>> {
  const error = await type(...words).then(
    () => assert.fail('it was not refused'),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof Refused, String(error))
  return Object.fromEntries(
    [...(error.complaints ?? [])].map(([name, sentences]) => [name, sentences.map(({ en }) => en)]),
  )
}

describe('webhook list', () => {
  it('shows status, reason, failure period, pending and failed deliveries within 100 columns', async () => {
    assert.equal(await type('webhook', 'list'), 'There are no webhooks.')
    const webhook = await newTestWebhook(services, merchant, { url: 'https://shop.example/4111111111111111' })
    await seedWebhookHealth(services, webhook, { failingSince: later(-30), pausedUntil: later(1) })
    for (const state of ['pending', 'failed', 'failed', 'delivered'] as const)
      await seedDelivery(services, webhook, { state })
    // A failed test does not count as a failed delivery.
    await seedDelivery(services, webhook, { state: 'failed', reason: 'test', kind: 'webhook.test' })
    clock.advance(1)
    const stranger = await testApi({ database: api.database })
    const theirs = await newTestWebhook(stranger.services, stranger.merchant)
    await type('webhook', 'disable', theirs.id)
    const listed = await type('webhook', 'list')
    const [, first = '', second = ''] = listed.split('\n')
    assert.match(first, new RegExp(`^${theirs.id} +\\d{14} +disabled \\(operator\\) +0 +0 +https:`))
    const status = `${merchant.id} +failing 30 h, paused 1 h`
    assert.match(second, new RegExp(`^${webhook.id} +${status} +1 +2 +https://shop.example/\\[.*…$`))
    assert.ok(second.length === 100 && !listed.includes('4111'))
    const ours = await type('webhook', 'list', '--merchant', merchant.id)
    assert.ok(ours.includes(String(webhook.id)) && !ours.includes(String(theirs.id)))
    assert.deepEqual(await refused('webhook', 'list', '--merchant', 99999999999999), {
      merchant: ['There is no merchant with this ID.'],
    })
  })
})

describe('webhook deliveries', () => {
  it('shows deliveries, the newest first, with the result of the last attempt and no card number', async () => {
    const webhook = await newTestWebhook(services, merchant)
    assert.equal(
      await type('webhook', 'deliveries', webhook.id),
      'Nothing has been sent to this webhook yet.',
    )
    const failed = await seedDelivery(services, webhook, {
      state: 'failed',
      attempts: [{ status: 500 }, { status: 502, answer: 'no\n4111 1111 1111 1111 \u001b[31m' }],
    })
    clock.advance(1)
    const lost = await seedDelivery(services, webhook, {
      dueAt: later(1),
      attempts: [{ status: null, fault: 'timeout', answer: '' }],
    })
    const [heads, first = '', second = ''] = (await type('webhook', 'deliveries', webhook.id)).split('\n')
    assert.match(heads ?? '', /^DELIVERY +MADE +EVENT +KIND +STATUS +LAST ATTEMPT$/)
    assert.match(first, new RegExp(`^${lost} +11-15 09:30 +\\d{14} +payment\\.\\w+ +in 1 h +1× timeout$`))
    assert.match(second, new RegExp(`^${failed} .* failed +2× 502 no·\\[number reda.*…$`))
    assert.equal(second.length, 100)
    assert.ok(!(await type('webhook', 'deliveries', webhook.id, '--status', 'failed')).includes(String(lost)))
    assert.match(
      await type('webhook', 'deliveries', webhook.id, '--limit', '1'),
      /There are more. To list more: --limit N$/,
    )
    assert.equal(
      await type('webhook', 'deliveries', webhook.id, '--status', 'delivered'),
      'No delivery has the status delivered.',
    )
  })
})

describe('webhook resend', () => {
  it('resends the event of a delivery, or makes a pending delivery due now', async () => {
    const webhook = await newTestWebhook(services, merchant, { events: ['refund.failed'] })
    const eventId = await seedListedEvent(services, merchant)
    const failed = await seedDelivery(services, webhook, { eventId, state: 'failed' })
    const output = await type('webhook', 'resend', failed)
    const [sent] = (await backend.get(`/v1/webhooks/${webhook.id}/deliveries?status=pending`)).json
    assert.equal(output, `Delivery ${sent.id} of the event ${eventId} is attempted now.`)
    const again = await type('webhook', 'resend', sent.id)
    assert.equal(again, `Delivery ${sent.id} was still pending and is attempted now.`)
    await seedWebhookHealth(services, webhook, { pausedUntil: later(1) })
    const until = isoTime(later(1), merchant.timeZone)
    assert.equal(
      await type('webhook', 'resend', sent.id),
      `Delivery ${sent.id} was still pending and is attempted at ${until}: the webhook asked us to wait until then (Retry-After).`,
    )
  })

  it('refuses a test, a disabled webhook, and an unknown delivery', async () => {
    const webhook = await newTestWebhook(services, merchant)
    const test = await seedDelivery(services, webhook, { reason: 'test', kind: 'webhook.test' })
    const eventId = await seedListedEvent(services, merchant)
    const failed = await seedDelivery(services, webhook, { eventId, state: 'failed' })
    await type('webhook', 'disable', webhook.id)
    assert.match((await refused('webhook', 'resend', test))['delivery']?.join() ?? '', /test/)
    assert.match((await refused('webhook', 'resend', failed))['delivery']?.join() ?? '', /disabled/)
    await backend.delete(`/v1/webhooks/${webhook.id}`)
    const nothing = { delivery: ['There is no delivery with this ID.'] }
    for (const id of [failed, 99999999999999])
      assert.deepEqual(await refused('webhook', 'resend', id), nothing)
  })
})

describe('webhook resend-failed', () => {
  it('resends all failures since then, and reports that they wait if the webhook is disabled', async () => {
    const webhook = await newTestWebhook(services, merchant)
    for (let count = 0; count < 3; count++) await seedDelivery(services, webhook, { state: 'failed' })
    const words = ['webhook', 'resend-failed', webhook.id, '--since'] as const
    assert.equal(await type(...words, '2026-11-16'), '0 sent again.')
    assert.equal(await type(...words, '2026-11-15'), '3 sent again.')
    await type('webhook', 'disable', webhook.id)
    await seedDelivery(services, webhook, { state: 'failed' })
    assert.equal(await type(...words, '2026-11-15'), '1 sent again. They wait until the webhook is enabled.')
  })
})

describe('webhook enable, webhook disable', () => {
  it('disabling by an operator becomes the reason, even if the webhook is already disabled', async () => {
    const webhook = await newTestWebhook(services, merchant)
    await backend.form(`/v1/webhooks/${webhook.id}`, { status: 'disabled' })
    await type('webhook', 'disable', webhook.id)
    assert.equal((await webhookById(services.sql, webhook))?.disabledBecause, 'operator')
  })

  it('switch a webhook on and off, and enabling resets its health', async () => {
    const webhook = await newTestWebhook(services, merchant)
    await seedWebhookHealth(services, webhook, { failingSince: clock.now() })
    clock.advance(1000)
    assert.equal(
      await type('webhook', 'disable', webhook.id),
      `Webhook ${webhook.id} is disabled (operator).`,
    )
    assert.equal((await webhookById(services.sql, webhook))?.disabledBecause, 'operator')
    assert.equal((await backend.get(`/v1/webhooks/${webhook.id}`)).json.status, 'disabled')
    assert.equal(await type('webhook', 'enable', webhook.id), `Webhook ${webhook.id} is enabled.`)
    assert.equal((await webhookById(services.sql, webhook))?.disabledBecause, null)
    assert.match(await type('webhook', 'list'), new RegExp(`${webhook.id} .* enabled +0 +0`))
  })

  it('an unknown webhook is refused by name', async () => {
    for (const words of [['enable'], ['disable'], ['deliveries'], ['resend-failed', '--since', '2026-11-15']])
      assert.deepEqual(await refused('webhook', ...words, 99999999999999), {
        webhook: ['There is no webhook with this ID.'],
      })
  })
})
