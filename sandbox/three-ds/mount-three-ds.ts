import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { requestLanguage } from '../../kit/http/web-app.ts'
import { languages } from '../../kit/text/locale.ts'
import type { BankPage } from '../bank-page/page.ts'
import { hiddenFormPage, isInFrame, messagePage, returnPage } from '../bank-page/page.ts'
import type { AcsAuthentication } from './authentication.ts'
import { answerChallenge, completionMessage, openChallenge, reopenChallenge } from './challenge.ts'
import { answerDirectoryMessage } from './directory.ts'
import { decodeMessage, encodeMessage, isUuid } from './message.ts'
import type { ChallengePageOptions } from './page.ts'
import { challengePage, decodeLetters } from './page.ts'
import type { ResultsTools } from './results.ts'
import { deliverResults } from './results.ts'

export interface ThreeDsOptions {
  /** Time the cardholder has to answer a challenge. */
  challengeSeconds: number
  /** Address at which browsers reach the bank. Default: the address of each request. */
  address: string | undefined
  /** Aborted when the bank stops. */
  closing: AbortSignal
}

/** Longer than any payer waits for a page that does not load. */
const silenceMs = 10 * 60_000

/** Adds the directory server and the ACS pages to the app. */
export function mountThreeDs(app: FastifyInstance, tools: ResultsTools, options: ThreeDsOptions): void {
  const { closing, challengeSeconds } = options
  const on = (
    method: 'GET' | 'POST',
    url: string,
    handle: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
  ) =>
    app.route({
      method,
      url,
      handler: (request, reply) => {
        request.pattern = url
        return handle(request, reply)
      },
    })

  on('POST', '/directory', async (request, reply) => {
    const address = options.address ?? `${request.protocol}://${request.host}`
    const { message, afterMs } = await answerDirectoryMessage(tools, request.body, address)
    if (afterMs > 0 && !(await hasPassed(tools, afterMs, closing))) return breakOff(reply)
    return reply
      .type('application/json; charset=utf-8')
      .send(message === undefined ? '' : JSON.stringify(message))
  })
  on('POST', '/acs/method', async (request, reply) => showMethod(reply, formOf(request)))
  on('POST', '/acs/method/silent', async (_request, reply) => showMethod(reply, new URLSearchParams()))
  on('POST', '/acs/challenge', async (request, reply) => {
    const form = formOf(request)
    const found = await openChallenge(tools, form.get('creq'), challengeSeconds * 1000)
    const session = form.get('threeDSSessionData')
    return showChallenge(tools, reply, found, { ...pageOptionsOf(request, form), session })
  })
  on('GET', '/acs/challenge', async (request, reply) => {
    const query = new URLSearchParams((request.query as string | null) ?? '')
    const found = await reopenChallenge(tools, query.get('transaction'))
    return showChallenge(tools, reply, found, pageOptionsOf(request, query))
  })
  on('POST', '/acs/answer', async (request, reply) => {
    const form = formOf(request)
    const typed = { code: form.get('code') ?? '', isCancelled: form.get('action') === 'cancel' }
    const found = await answerChallenge(tools, form.get('transaction'), typed)
    return showChallenge(tools, reply, found, pageOptionsOf(request, form))
  })
  on('POST', '/acs/silent', async (_request, reply) => {
    await hasPassed(tools, silenceMs, closing)
    return breakOff(reply)
  })
}

function formOf({ body }: FastifyRequest): URLSearchParams {
  return new URLSearchParams(Buffer.isBuffer(body) ? body.toString('utf8') : '')
}

function pageOptionsOf(request: FastifyRequest, fields: URLSearchParams): ChallengePageOptions {
  const session = decodeLetters(fields.get('session') ?? '')
  return {
    chosen: languages.find((language) => language === fields.get('language')),
    session: session === '' ? null : session,
    isInFrame: isInFrame(request.headers),
  }
}

/**
 * 3DS Method page. It collects nothing and only posts the notification; without a valid address it posts
 * nothing.
 */
function showMethod(reply: FastifyReply, form: URLSearchParams): FastifyReply {
  const { threeDSServerTransID, threeDSMethodNotificationURL: url } =
    decodeMessage(form.get('threeDSMethodData')) ?? {}
  const isWhole = isUuid(threeDSServerTransID) && isUrl(url)
  const notification = { name: 'threeDSMethodData', value: encodeMessage({ threeDSServerTransID }) }
  return show(reply, hiddenFormPage(isWhole ? { url, ...notification } : undefined))
}

function isUrl(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\//i.test(value) && URL.canParse(value)
}

/**
 * Shows the code page, or returns the browser to the store. Guarantee: the browser returns after the results
 * were sent, except with the quirk `results late`.
 */
async function showChallenge(
  tools: ResultsTools,
  reply: FastifyReply,
  found: AcsAuthentication | undefined,
  pageOptions: ChallengePageOptions,
): Promise<FastifyReply> {
  const { chosen, session } = pageOptions
  if (!found) return show(reply.code(404), messagePage(chosen ?? requestLanguage(reply.request), 'unknown'))
  const language = chosen ?? found.language
  const { ending, quirk, acsTransId, notificationUrl: url } = found
  const mayBeFramed = quirk !== 'page not framed'
  if (!ending) return show(reply, challengePage(found, pageOptions), mayBeFramed)
  if (quirk !== 'results late') await deliverResults(tools, acsTransId)
  if (quirk === 'completion lost') return show(reply, messagePage(language, 'done'), mayBeFramed)
  const cres = encodeMessage(completionMessage(found, ending))
  const fields = Object.entries(session === null ? { cres } : { cres, threeDSSessionData: session })
  return show(reply, returnPage(language, { url, fields }), mayBeFramed)
}

function show(reply: FastifyReply, { html, policy }: BankPage, mayBeFramed = true): FastifyReply {
  if (!mayBeFramed) reply.header('x-frame-options', 'DENY')
  return reply
    .header('content-security-policy', mayBeFramed ? policy : `${policy}; frame-ancestors 'none'`)
    .header('vary', 'accept-language')
    .type('text/html; charset=utf-8')
    .send(html)
}

/** False if the bank stops before the time has passed. */
function hasPassed({ clock }: ResultsTools, ms: number, closing: AbortSignal): Promise<boolean> {
  return clock.sleep(ms, closing).then(
    () => true,
    () => false,
  )
}

function breakOff(reply: FastifyReply): FastifyReply {
  reply.hijack()
  reply.raw.destroy()
  return reply
}
