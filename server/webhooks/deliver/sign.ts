import { createHmac } from 'node:crypto'
import type { OutboundRequest } from '../../../kit/outbound/outbound-client.ts'
import type { Clock } from '../../../kit/runtime/clock.ts'
import type { Config } from '../../config.ts'

/**
 * Request for an event as in Standard Webhooks: the same body at every attempt, and headers with the time of
 * this one. The event's id, the time and the exact body are signed. Each secret signs, so a receiver that
 * knows one of them can verify.
 */
export function signedRequest(
  { clock, config }: { clock: Pick<Clock, 'now'>; config: Pick<Config, 'version'> },
  { eventId, body }: { eventId: number; body: string },
  secrets: readonly string[],
): Pick<OutboundRequest, 'headers' | 'body'> {
  const atSeconds = Math.floor(clock.now().getTime() / 1000)
  const content = `${eventId}.${atSeconds}.${body}`
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    return `v1,${createHmac('sha256', key).update(content).digest('base64')}`
  })
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': `Vezne/${config.version}`,
    'webhook-id': String(eventId),
    'webhook-timestamp': String(atSeconds),
    'webhook-signature': signatures.join(' '),
  }
  return { headers, body }
}
