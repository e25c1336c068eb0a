import type { FastifyReply } from 'fastify'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { ResponseDelivery } from '../cards/fault.ts'

interface SandboxResponse {
  reply: FastifyReply
  type: string
  body: string | Buffer
  delivery: ResponseDelivery
  clock: Clock
  /** Aborted when the bank stops. */
  signal: AbortSignal
}

/**
 * Sends a response, or fails to, as `delivery` requires. If the bank stops during a delay, the connection
 * breaks.
 */
export async function sendResponse({
  reply,
  type,
  body,
  delivery,
  clock,
  signal,
}: SandboxResponse): Promise<FastifyReply> {
  if (delivery === 'lost') return breakOff(reply)
  if (delivery === 'failure') return reply.code(500).type('text/plain').send('Internal Server Error')
  if (delivery === 'page')
    return reply.type('text/html').send('<!doctype html><title>Bakım çalışması</title>')
  if (typeof delivery === 'object') {
    const wasInTime = await clock.sleep(delivery.afterMs, signal).then(
      () => true,
      () => false,
    )
    if (!wasInTime) return breakOff(reply)
  }
  return reply.type(type).send(delivery === 'garbled' ? body.slice(0, body.length / 2) : body)
}

function breakOff(reply: FastifyReply): FastifyReply {
  reply.hijack()
  reply.raw.destroy()
  return reply
}
