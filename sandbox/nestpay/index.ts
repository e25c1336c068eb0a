import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { clientAddressOf, requestLanguage } from '../../kit/http/web-app.ts'
import type { Language } from '../../kit/text/locale.ts'
import { languages } from '../../kit/text/locale.ts'
import { sendResponse } from '../bank/send-response.ts'
import type { SandboxTools } from '../bank/terminal.ts'
import { isInFrame } from '../bank-page/page.ts'
import { answerApiRequest } from './api.ts'
import { readForm } from './form.ts'
import type { GateStep, PayerAction } from './gate.ts'
import { continueGateSession, openGateSession } from './gate.ts'
import { gatePage } from './pages.ts'
import { writeResponse, xmlType } from './xml.ts'

export type { NestpayCard } from './cards.ts'
export { nestpayCards } from './cards.ts'
export { gateSchema } from './store.ts'

const gate = '/fim/est3Dgate'

interface Mounting {
  tools: SandboxTools
  limits: { challengeSeconds: number }
  /** Aborted when the bank stops. */
  signal: AbortSignal
}

/** Adds a NestPay bank to the app: the gate, which authenticates payers, and the API for merchants. */
export function mountNestpay(app: FastifyInstance, { tools, limits, signal }: Mounting): void {
  const show = (request: FastifyRequest, reply: FastifyReply, step: GateStep): FastifyReply => {
    const payer = { chosen: chosenLanguage(request), isInFrame: isInFrame(request.headers) }
    const { html, policy } = gatePage(step, { ...limits, ...payer })
    reply.code(step.kind === 'lost' ? 400 : 200).header('content-security-policy', policy)
    return reply.type('text/html; charset=utf-8').send(html)
  }
  app.post(gate, async (request, reply) => {
    request.pattern = gate
    return show(
      request,
      reply,
      await openGateSession(tools, readForm(request.body), clientAddressOf(request)),
    )
  })
  const page = `${gate}/:id`
  const go = async (request: FastifyRequest, reply: FastifyReply, act: PayerAction) => {
    const { id } = request.params as { id: string }
    const step = await continueGateSession(tools, limits, id, act)
    return show(request, reply, step ?? { kind: 'lost', language: requestLanguage(request) })
  }
  app.get(page, async (request, reply) => {
    request.pattern = page
    return go(request, reply, 'looked')
  })
  app.post(page, async (request, reply) => {
    request.pattern = page
    const form = readForm(request.body)
    const isCancelled = form?.get('action') === 'cancel'
    return go(request, reply, isCancelled ? 'cancelled' : { typed: form?.get('code') ?? '' })
  })
  app.post('/fim/api', async (request, reply) => {
    request.pattern = '/fim/api'
    const { response, delivery } = await answerApiRequest(tools, request.body)
    return sendResponse({
      reply,
      type: xmlType,
      body: writeResponse(response),
      delivery,
      clock: tools.clock,
      signal,
    })
  })
}

/** Language that the payer chose on the page, if any. */
function chosenLanguage({ query }: FastifyRequest): Language | undefined {
  const named = new URLSearchParams((query as string | null) ?? '').get('language')
  return languages.find((language) => language === named)
}
