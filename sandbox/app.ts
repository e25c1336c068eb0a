import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Static, TObject } from 'typebox'
import { mountFavicon } from '../kit/http/favicon.ts'
import { webApp } from '../kit/http/web-app.ts'
import { networkHttpClient } from '../kit/outbound/http-client.ts'
import type { Log } from '../kit/runtime/log.ts'
import type { AcquirerReply } from './bank/acquirer.ts'
import {
  captureCharge,
  chargeCard,
  declinedResponse,
  inquireStatus,
  refundCharge,
  voidCharge,
} from './bank/acquirer.ts'
import {
  CaptureBody,
  ChargeBody,
  RefundBody,
  readBody,
  StatusBody,
  VoidBody,
} from './bank/acquirer-messages.ts'
import { sendResponse } from './bank/send-response.ts'
import type { SandboxTools } from './bank/terminal.ts'
import { signInTerminal } from './bank/terminal.ts'
import { messagePage, messagePolicy } from './bank-page/page.ts'
import { mountNestpay } from './nestpay/index.ts'
import { mountThreeDs } from './three-ds/mount-three-ds.ts'

export interface SandboxOptions extends SandboxTools {
  log: Log
  /** Returned by `/livez`, so that the starter of this process can recognise it. */
  nonce?: string
  /** Address at which browsers and 3DS Servers reach the bank. Default: the address of each request. */
  address?: string
  limits?: SandboxLimits
}

export interface SandboxLimits {
  /** Time the cardholder has to answer a challenge. */
  challengeSeconds: number
}

const usualLimits: SandboxLimits = { challengeSeconds: 600 }

const headers = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': messagePolicy,
}

/**
 * The sandbox bank. All its state is in its tables, and a delayed operation takes effect when the clock
 * reaches its time. Guarantee: any number of instances, restarted at any moment, return the same answers.
 */
export function sandboxApp(options: SandboxOptions): FastifyInstance {
  const { sql, clock, random, log, nonce, address, limits = usualLimits } = options
  const tools: SandboxTools = { sql, clock, random }
  const closing = new AbortController()
  const app = webApp({
    log,
    random,
    trustedProxies: [],
    headers,
    isClosing: () => closing.signal.aborted,
    observe: () => undefined,
    failurePage: (status, language) => messagePage(language, status < 500 ? 'here' : 'away').html,
  })
  app.addHook('preClose', async () => closing.abort())
  mountFavicon(app)
  app.get('/livez', async (request) => {
    request.pattern = '/livez'
    return { status: 'alive', nonce }
  })
  const mountOperation = <Body extends TObject>(
    name: string,
    schema: Body,
    work: (terminal: string, body: Static<Body>) => Promise<AcquirerReply>,
  ) => {
    const url = `/acquirer/${name}`
    app.post(url, async (request, reply) => {
      request.pattern = url
      const { response, delivery } = await answerTo(tools, request, schema, work)
      return sendResponse({
        reply,
        type: 'application/json',
        body: JSON.stringify(response),
        delivery,
        clock,
        signal: closing.signal,
      })
    })
  }
  mountOperation('sale', ChargeBody, (terminal, body) => chargeCard(tools, terminal, 'sale', body))
  mountOperation('pre-authorization', ChargeBody, (terminal, body) =>
    chargeCard(tools, terminal, 'pre-authorization', body),
  )
  mountOperation('capture', CaptureBody, (terminal, body) => captureCharge(tools, terminal, body))
  mountOperation('void', VoidBody, (terminal, body) => voidCharge(tools, terminal, body))
  mountOperation('refund', RefundBody, (terminal, body) => refundCharge(tools, terminal, body))
  mountOperation('status', StatusBody, (terminal, body) => inquireStatus(tools, terminal, body))
  const { signal } = closing
  mountThreeDs(
    app,
    { ...tools, log, http: networkHttpClient(clock) },
    { address, closing: signal, ...limits },
  )
  mountNestpay(app, { tools, limits, signal })
  return app
}

async function answerTo<Body extends TObject>(
  tools: SandboxTools,
  request: FastifyRequest,
  schema: Body,
  work: (terminal: string, body: Static<Body>) => Promise<AcquirerReply>,
): Promise<AcquirerReply> {
  const terminal = await signInTerminal(tools, request.headers.authorization)
  const body = readBody(schema, request.body)
  if (terminal === undefined)
    return { response: declinedResponse(referenceIn(body), '03'), delivery: 'plain' }
  return body === undefined
    ? { response: declinedResponse(null, '30'), delivery: 'plain' }
    : work(terminal, body)
}

function referenceIn(body: unknown): string | null {
  const { reference } = (body ?? {}) as { reference?: unknown }
  return typeof reference === 'string' ? reference : null
}
