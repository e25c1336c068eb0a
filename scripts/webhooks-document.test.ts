import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { systemClock } from '../kit/runtime/clock.ts'
import { eventKinds } from '../server/events/index.ts'
import { retryWaitsS } from '../server/webhooks/deliver/schedule.ts'
import { signedRequest } from '../server/webhooks/deliver/sign.ts'
import { backendOf } from '../testing/harness/backend.ts'
import { TestClock } from '../testing/harness/clock.ts'
import { freePorts, root, startProcess } from '../testing/harness/process.ts'
import type { ReceivedRequest } from '../testing/harness/receiver.ts'
import { respondNoContent, respondWith, testReceiver } from '../testing/harness/receiver.ts'
import { dispatchAndDeliverDue } from '../testing/till/process-due.ts'
import { bonusCard, refundActions } from '../testing/till/refunds.ts'
import { testTill } from '../testing/till/till.ts'
import { assertAsShown, blockBelow } from './samples.ts'

const document = readFileSync(join(root, 'docs/integrate/webhooks.md'), 'utf8')
const shown = (mark: string) => blockBelow(document, mark, 'json')
const code = (mark: string) => blockBelow(document, mark, 'js').text

// The receivers of the page use the system clock, so the test clock starts at the real time.
const till = await testTill({ clock: new TestClock(systemClock.now().toISOString()) })
const backend = backendOf(till)
const order =
  'amount=20490&currency=TRY&metadata[0][key]=order&metadata[0][value]=A-1001&products=[{"product_name":"Kahve","price":20490}]'

async function registered(url: string, ...kinds: string[]): Promise<{ id: number; secret: string }> {
  const { json, text, status } = await backend.json('/v1/webhooks', { url, events: kinds })
  assert.equal(status, 200, text)
  return json
}

describe('docs/integrate/webhooks.md', () => {
  let webhook: { id: number; secret: string }
  let received: ReceivedRequest[]

  before(async () => {
    const receiver = await testReceiver(respondWith(503, {}, 'upstream is away'))
    webhook = await registered(receiver.url, 'payment.succeeded', 'refund.executed')
    const payments = refundActions(till)
    const paymentId = await payments.paid(bonusCard, order)
    await dispatchAndDeliverDue(till.services)
    receiver.answer = respondNoContent
    till.clock.advance(6_000)
    await dispatchAndDeliverDue(till.services)
    await payments.refunded(paymentId, 5_000)
    await dispatchAndDeliverDue(till.services)
    received = receiver.requests
  })

  it('shows the request that is sent', () => {
    const [, payment = assert.fail(), refund = assert.fail()] = received
    assertAsShown(payment.body, shown('the body of payment.succeeded'))
    assertAsShown(refund.body, shown('the body of refund.executed'))
    const [, names = ''] = /^```http\nPOST .*\n((?:.+\n)+)```$/m.exec(document) ?? []
    for (const line of names.trim().split('\n')) {
      const [name = '', value = ''] = line.split(': ')
      const kind = (text: string) => text.replaceAll(/[\w+/]{43}=|\d{10,}/g, '(any)')
      assert.equal(kind(String(payment.headers[name])), kind(value), name)
    }
  })

  it('shows a delivery as the API returns it', async () => {
    const { json } = await backend.get(`/v1/webhooks/${webhook.id}/deliveries`)
    const instant = (text: string) => text.replaceAll(/"duration_ms": ?\d+/g, '"duration_ms":0')
    const { kind, text } = shown('a delivery')
    assertAsShown(instant(JSON.stringify(json.at(-1))), { kind, text: instant(text) })
  })

  it('has a receiver that stores each signed event once and refuses all others; an event that it cannot store counts as failed', async (t) => {
    const { API_PORT: port } = await freePorts()
    const url = `http://localhost:${port}/webhooks`
    const { id, secret } = await registered(url, 'payment.expired', 'payment.succeeded')
    // Makes storing fail after the first `webhook.test` event.
    const room = "if ([...kept.values()].some(({ type }) => type === 'webhook.test')) throw new Error('full')"
    const program = code('the receiver')
      .replace('3000', port)
      .replace(/^function keep\(.*$/m, `$&\n${room}`)
    const words = [process.execPath, '--input-type=module', '-e', program]
    const receiver = startProcess(t, words, { WEBHOOK_SECRET: secret })
    await receiver.waitForLine('listening')
    await refundActions(till).paid(bonusCard, order)
    await dispatchAndDeliverDue(till.services)
    const line = await receiver.waitForLine('payment.succeeded')
    const [eventId] = line.split(' ')
    const [delivery] = (await backend.get(`/v1/webhooks/${id}/deliveries`)).json
    assert.deepEqual([String(delivery.event_id), delivery.status], [eventId, 'delivered'])
    await backend.form(`/v1/events/${eventId}/resend`, { webhook_id: String(id) })
    await backend.form(`/v1/webhooks/${id}/test`, {})
    await dispatchAndDeliverDue(till.services)
    await receiver.waitForLine('webhook.test')
    assert.equal(receiver.output().match(/payment\.succeeded/g)?.length, 1)
    const { body = '', headers = {} } = received.at(-1) ?? {}
    const forged = await fetch(url, { method: 'POST', body, headers: signatureOf(headers) })
    assert.equal(forged.status, 400)
    assert.equal((await backend.get(`/v1/webhooks/${id}/deliveries?status=delivered`)).json.length, 3)
    await backend.form(`/v1/webhooks/${id}/test`, {})
    await dispatchAndDeliverDue(till.services)
    const [unkept] = (await backend.get(`/v1/webhooks/${id}/deliveries?status=failed`)).json
    assert.equal(unkept.attempts[0].status_code, 500)
    await backend.delete(`/v1/webhooks/${id}`)
  })

  it('has a program that accepts signatures of either of two secrets and nothing else', async () => {
    const { isGenuine } = await import(`data:text/javascript,${encodeURIComponent(code('by hand'))}`)
    const receiver = await testReceiver()
    const { id, secret } = await registered(receiver.url, 'payment.failed')
    const { secret: newer } = (await backend.form(`/v1/webhooks/${id}/rotate-secret`, {})).json
    await backend.form(`/v1/webhooks/${id}/test`, {})
    await dispatchAndDeliverDue(till.services)
    const [{ headers, body } = assert.fail()] = receiver.requests
    assert.ok(isGenuine(secret, headers, body))
    assert.ok(isGenuine(newer, headers, body))
    assert.ok(isGenuine(newer, headers, Buffer.from(body)))
    assert.ok(!isGenuine(webhook.secret, headers, body), 'another secret')
    assert.ok(!isGenuine(secret, headers, `${body} `), 'another body')
    assert.ok(!isGenuine(secret, { ...headers, 'webhook-id': '1' }, body), 'another id')
    for (const name of Object.keys(signatureOf(headers)))
      assert.ok(!isGenuine(secret, { ...headers, [name]: undefined }, body), name)
    for (const offS of [-400, 400]) {
      const at = new Date((Number(headers['webhook-timestamp']) + offS) * 1000)
      const services = { clock: { now: () => at }, config: till.services.config }
      const signed = signedRequest(services, { eventId: Number(headers['webhook-id']), body }, [secret])
      assert.ok(!isGenuine(secret, signed.headers, body), `${offS} seconds off`)
    }
  })

  it('lists every kind of event and every retry wait', () => {
    const rows = [...document.matchAll(/^\| `(\w+\.\w+)` \|/gm)].map(([, kind]) => kind)
    assert.deepEqual(rows, [...eventKinds])
    const unit = { second: 1, minute: 60, hour: 3600 } as const
    const waits = [...document.matchAll(/^\| \d+ \| (\d+) (second|minute|hour)s \|/gm)]
    assert.deepEqual(
      waits.map(([, count, name]) => Number(count) * unit[name as keyof typeof unit]),
      [...retryWaitsS],
    )
  })
})

function signatureOf(headers: ReceivedRequest['headers']): Record<string, string> {
  return Object.fromEntries(
    ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, String(headers[name])]),
  )
}
