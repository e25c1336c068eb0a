import { createHmac } from 'node:crypto'
import type { OutboundRequest } from '../../../kit/outbound/outbound-client.ts'
import type { Services } from '../../services.ts'

/** Request for an event: the same body at every attempt, and headers with the time of this one. */
export function signedRequest(
  { clock, config }: Pick<Services, 'clock' | 'config'>,
  { eventId, body }: { eventId: number; body: string },
  secrets: readonly string[],
): Pick<OutboundRequest, 'headers' | 'body'> {
  const atSeconds = Math.floor(clock.now().getTime() / 1000)
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': `Vezne/${config.version}`,
    ...signedHeaders({ id: String(eventId), atSeconds, body }, secrets),
  }
  return { headers, body }
}

/** Signed content: the event's id, the time of the attempt in seconds, and the exact body. */
interface SignedContent {
  id: string
  atSeconds: number
  body: string
}

/**
 * Headers of a delivery as in Standard Webhooks. Each secret signs, so a receiver that knows one of them can
 * verify.
 */
export function signedHeaders(
  { id, atSeconds, body }: SignedContent,
  secrets: readonly string[],
): Record<string, string> {
  const content = `${id}.${atSeconds}.${body}`
  const signatures = secrets.map(
    (secret) => `v1,${createHmac('sha256', keyOf(secret)).update(content).digest('base64')}`,
  )
  return {
    'webhook-id': id,
    'webhook-timestamp': String(atSeconds),
    'webhook-signature': signatures.join(' '),
  }
}

function keyOf(secret: string): Buffer {
  return Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
}
