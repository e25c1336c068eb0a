import type { FastifyReply } from 'fastify'
import type { Clock } from '../kit/clock.ts'
import type { Manner } from './fault.ts'

interface Saying {
  reply: FastifyReply
  type: string
  body: string | Buffer
  manner: Manner
  clock: Clock
  /** Aborted when the bank ends. */
  signal: AbortSignal
}

/** Says it, well or badly. A bank that ends while it takes its time says nothing. */
export async function say({ reply, type, body, manner, clock, signal }: Saying): Promise<FastifyReply> {
  if (manner === 'lost') return breakOff(reply)
  if (manner === 'failure') return reply.code(500).type('text/plain').send('Internal Server Error')
  if (manner === 'page') return reply.type('text/html').send('<!doctype html><title>Bakım çalışması</title>')
  if (typeof manner === 'object') {
    const wasInTime = await clock.sleep(manner.afterMs, signal).then(
      () => true,
      () => false,
    )
    if (!wasInTime) return breakOff(reply)
  }
  return reply.type(type).send(manner === 'garbled' ? body.slice(0, body.length / 2) : body)
}

function breakOff(reply: FastifyReply): FastifyReply {
  reply.hijack()
  reply.raw.destroy()
  return reply
}
