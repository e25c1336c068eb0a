import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

const toleranceS = 5 * 60

/**
 * True if this secret signed the body as Standard Webhooks defines, at most five minutes ago. One valid
 * signature of several is enough: during a rotation both secrets sign.
 */
export function isValidSignature(
  secret: string,
  headers: IncomingHttpHeaders,
  body: Buffer,
  now: Date,
): boolean {
  const [id, at, signatures] = ['id', 'timestamp', 'signature'].map((name) => headers[`webhook-${name}`])
  if (typeof id !== 'string' || typeof at !== 'string' || typeof signatures !== 'string') return false
  if (!/^\d{1,12}$/.test(at) || Math.abs(now.getTime() / 1000 - Number(at)) > toleranceS) return false
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const right = createHmac('sha256', key).update(`${id}.${at}.`).update(body).digest('base64')
  const due = Buffer.from(`v1,${right}`)
  return signatures
    .split(' ')
    .map((text) => Buffer.from(text))
    .some((given) => given.length === due.length && timingSafeEqual(given, due))
}
