import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TObject } from 'typebox'
import type { Clock } from '../kit/clock.ts'
import type { Log } from '../kit/log.ts'
import { webApp } from '../kit/web.ts'
import type { Reply } from './acquirer.ts'
import { capture, charge, declined, refund, status, voidCharge } from './acquirer.ts'
import type { Manner } from './fault.ts'
import type { Tools } from './terminal.ts'
import { signIn } from './terminal.ts'
import type { Said } from './wire.ts'
import { CaptureBody, ChargeBody, RefundBody, readBody, StatusBody, VoidBody } from './wire.ts'

export interface SandboxOptions extends Tools {
  log: Log
  /** What `/livez` tells, so that whoever started this process knows it again. */
  nonce?: string
}

const headers = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

/**
 * The bank. All that it knows is in its book, and late deeds are those whose time has come by the clock: any number of
 * copies, restarted at any moment, answer the same.
 */
export function sandboxApp({ sql, clock, random, log, nonce }: SandboxOptions): FastifyInstance {
  const tools: Tools = { sql, clock, random }
  const closing = new AbortController()
  const app = webApp({
    log,
    random,
    trustedProxies: [],
    headers,
    isClosing: () => closing.signal.aborted,
    observe: () => undefined,
  })
  app.addHook('preClose', async () => closing.abort())
  app.get('/livez', async (request) => {
    request.pattern = '/livez'
    return { status: 'alive', nonce }
  })
  const deed = <Body extends TObject>(
    name: string,
    schema: Body,
    work: (terminal: string, body: Static<Body>) => Promise<Reply>,
  ) => {
    const url = `/acquirer/${name}`
    app.post(url, async (request, reply) => {
      request.pattern = url
      const { said, manner } = await answerTo(tools, request, schema, work)
      return say({ reply, said, manner, clock, signal: closing.signal })
    })
  }
  deed('sale', ChargeBody, (terminal, body) => charge(tools, terminal, 'sale', body))
  deed('pre-authorization', ChargeBody, (terminal, body) =>
    charge(tools, terminal, 'pre-authorization', body),
  )
  deed('capture', CaptureBody, (terminal, body) => capture(tools, terminal, body))
  deed('void', VoidBody, (terminal, body) => voidCharge(tools, terminal, body))
  deed('refund', RefundBody, (terminal, body) => refund(tools, terminal, body))
  deed('status', StatusBody, (terminal, body) => status(tools, terminal, body))
  return app
}

async function answerTo<Body extends TObject>(
  tools: Tools,
  request: FastifyRequest,
  schema: Body,
  work: (terminal: string, body: Static<Body>) => Promise<Reply>,
): Promise<Reply> {
  const terminal = await signIn(tools, request.headers.authorization)
  const body = readBody(schema, request.body)
  if (terminal === undefined) return { said: declined(referenceIn(body), '03'), manner: 'plain' }
  return body === undefined ? { said: declined(null, '30'), manner: 'plain' } : work(terminal, body)
}

function referenceIn(body: unknown): string | null {
  const { reference } = (body ?? {}) as { reference?: unknown }
  return typeof reference === 'string' ? reference : null
}

interface Saying {
  reply: FastifyReply
  said: Said
  manner: Manner
  clock: Clock
  signal: AbortSignal
}

/** Says it, well or badly. A bank that ends while it takes its time says nothing. */
async function say({ reply, said, manner, clock, signal }: Saying): Promise<FastifyReply> {
  const text = JSON.stringify(said)
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
  reply.type('application/json')
  return reply.send(manner === 'garbled' ? text.slice(0, text.length / 2) : text)
}

function breakOff(reply: FastifyReply): FastifyReply {
  reply.hijack()
  reply.raw.destroy()
  return reply
}
