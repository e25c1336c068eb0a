import type { IncomingHttpHeaders } from 'node:http'
import type { ApiTransaction } from './compare-order.ts'
import { compareOrder, orderIdOf } from './compare-order.ts'
import type { DemoShop } from './shop.ts'
import { isValidSignature } from './signature.ts'

/** Number of event ids to remember. A real shop stores them in a table, with the result of processing. */
const maxKnown = 1_000

/**
 * Processes a webhook request, and returns the status. Anybody can post here, so a request without a valid
 * signature is refused, and the feed does not show it. Vezne can send an event twice, so a repeated one is
 * ignored.
 */
export function receiveWebhook(shop: DemoShop, headers: IncomingHttpHeaders, body: Buffer): 204 | 400 | 503 {
  const { webhook, clock, log, knownEvents } = shop
  // Vezne retries after this status.
  if (!webhook) return 503
  const id = String(headers['webhook-id'] ?? '')
  const event = isValidSignature(webhook.secret, headers, body, clock.now()) ? readEvent(body) : undefined
  if (!event) {
    log.warn(
      { webhook: webhook.id },
      'the demo shop refused a request to its webhook address; the signature or the content is invalid',
    )
    return 400
  }
  const isNew = !knownEvents.has(id)
  shop.report({ kind: 'webhook', type: event.type, eventId: id, isNew, body: event })
  shop.readEventsNow()
  if (!isNew) return 204
  if (event.type === 'payment.succeeded') notePayment(shop, event.data)
  // The id is stored last: an event whose processing failed is sent again and must be processed then.
  knownEvents.add(id)
  const [oldest] = knownEvents
  if (knownEvents.size > maxKnown && oldest !== undefined) knownEvents.delete(oldest)
  return 204
}

/** Makes the same comparison as the check that the browser triggers. */
function notePayment({ orders }: DemoShop, transaction: ApiTransaction): void {
  const order = orders.byId(orderIdOf(transaction) ?? '')
  if (!order || compareOrder(order, transaction).outcome !== 'paid') return
  order.paidBy ??= transaction.transaction_id
  order.isWebhookReceived = true
}

function readEvent(body: Buffer): { type: string; data: ApiTransaction } | undefined {
  try {
    const { type, timestamp, data } = JSON.parse(body.toString())
    const isEvent = typeof type === 'string' && Array.isArray(data?.metadata)
    return isEvent ? ({ type, timestamp, data } as { type: string; data: ApiTransaction }) : undefined
  } catch {
    return undefined
  }
}
