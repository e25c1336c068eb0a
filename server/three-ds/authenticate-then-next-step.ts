import { later, within } from '../../kit/runtime/clock.ts'
import { openCard } from '../cards/index.ts'
import type { OwnThreeDsAuthentication } from '../connectors/index.ts'
import { abandonOrDeclineAttempt, decodePageToken } from '../payments/for-three-ds.ts'
import type { Attempt } from '../payments/index.ts'
import { openSealedPos } from '../pos/index.ts'
import type { Services } from '../services.ts'
import { recordTrace, recordTraceWithChange } from '../traces/index.ts'
import type { Authentication } from './authentication.ts'
import { knownTransactionOf } from './authentication.ts'
import type { BrowserStep, PaymentWithAuthentication } from './browser-step.ts'
import { nextBrowserStep, returnUrl } from './browser-step.ts'
import { countOutcome } from './count-outcome.ts'
import { withChallenge, withResult } from './decide.ts'
import { finishInBackground } from './finish-authentication.ts'
import { maskedMessageTrace, recordMessageTrace } from './message-trace.ts'
import { buildAReq } from './protocol/areq.ts'
import type { ARes } from './protocol/ares.ts'
import type { BrowserFacts } from './protocol/browser.ts'
import type { FrameSize } from './protocol/creq.ts'
import { buildErro, readErro } from './protocol/erro.ts'
import type { KnownTransaction } from './protocol/known-transaction.ts'
import { parseMessage } from './protocol/parse-message.ts'
import type { ProtocolError } from './protocol/protocol-error.ts'
import { readIncomingMessage } from './protocol/read-incoming-message.ts'
import { sendToDirectoryServer } from './send-to-directory-server.ts'
import type { AuthenticationContext } from './store.ts'
import { authenticationContextOfVisit, updateAuthentication } from './store.ts'

/** Longest wait for the bank call before the browser is answered. After that the browser must ask again. */
const soonMs = 2_000

/**
 * Sends the AReq once the browser has reported its data. Guarantee: the issuer is asked once per attempt,
 * even if requests are repeated; only a valid answer about this transaction counts. Returns the next browser
 * step, undefined if no payment has this page token.
 */
export async function authenticateThenNextStep(
  services: Services,
  page: string,
  facts: BrowserFacts,
  room?: FrameSize,
): Promise<BrowserStep | undefined> {
  const context = await read(services, page)
  const { attempt, authentication } = context ?? {}
  const isToBeAsked = authentication?.state === 'begun' && attempt?.state === 'authenticating'
  if (!context || !isToBeAsked) return context && nextBrowserStep(services, context, page, room)
  const after = await ask(services, { ...context, attempt, authentication }, page, facts)
  const now = after ?? (await read(services, page))
  return now && nextBrowserStep(services, now, page, room)
}

async function read({ sql, clock }: Services, page: string): Promise<AuthenticationContext | undefined> {
  const token = decodePageToken(page)
  return token && authenticationContextOfVisit(sql, { ...token, now: clock.now(), language: null })
}

type ReadyContext = AuthenticationContext & { attempt: Attempt; authentication: Authentication }

/** Returns the new state, without an authentication that has ended; undefined if another request got ahead. */
async function ask(
  services: Services,
  context: ReadyContext,
  page: string,
  facts: BrowserFacts,
): Promise<PaymentWithAuthentication | undefined> {
  const { sql, clock, config } = services
  const { merchant, payment, attempt, authentication: begun } = context
  const bank = openSealedPos(services, merchant, context.pos)
  const own = typeof bank === 'string' ? undefined : bank.authentication
  const card = context.card && openCard(services, begun, context.card)
  if (typeof bank === 'string' || own?.by !== 'three_ds_server' || !card) {
    const code = card ? 'pos_unreachable' : 'card_lost'
    const ended = await abandonOrDeclineAttempt(services, merchant, { id: attempt.id, code })
    return ended && { payment: ended.payment, authentication: undefined }
  }
  const now = clock.now()
  const dueAt = later(now, config.directoryTimeoutSeconds * 3)
  const asking: Authentication = { ...begun, state: 'asking', askedAt: now, dueAt }
  const { challengeIndicator } = own
  const transaction = { ...knownTransactionOf(begun, merchant), challengeIndicator }
  const areq = buildAReq({
    transaction,
    resultsUrl: returnUrl(services, 'results', { attemptId: attempt.id, page }),
    notificationUrl: returnUrl(services, 'challenge', { attemptId: attempt.id, page }),
    requestorUrl: config.pageUrl,
    own,
    merchant,
    card,
    contact: context.contact,
    amountMinor: begun.amountMinor,
    currency: begun.currency,
    purchasedAt: now,
    methodCompletion: methodCompletionOf(begun),
    browser: facts,
  })
  const asked = await recordTraceWithChange(services, maskedMessageTrace(asking, 'sent', areq), (traced) =>
    updateAuthentication(sql, asking, { traced }),
  )
  const authentication = asked && (await answerTo(services, asked, own, transaction, areq))
  if (!authentication) return undefined
  if (authentication.state === 'challenging') return { payment, authentication }
  countOutcome(services, 'three_ds_server', authentication.status ?? '')
  const ofAttempt = { context: { payment, attempt }, bank }
  const finishing = finishInBackground(services, { authentication, merchant, ofAttempt })
  const finished = await within(clock, soonMs, finishing, () => undefined)
  return finished ? { payment: finished.payment, authentication: undefined } : { payment, authentication }
}

function methodCompletionOf({ methodUrl, methodCompletedAt }: Authentication): 'Y' | 'N' | 'U' {
  if (methodCompletedAt) return 'Y'
  return methodUrl ? 'N' : 'U'
}

/**
 * Stores and returns the outcome of the directory server's answer; undefined if it was given up meanwhile.
 */
async function answerTo(
  services: Services,
  asked: Authentication,
  own: OwnThreeDsAuthentication,
  transaction: KnownTransaction,
  areq: object,
): Promise<Authentication | undefined> {
  const { sql, log } = services
  const response = await sendToDirectoryServer(services, own.directoryUrl, areq)
  if ('why' in response) {
    log.warn(
      { attempt: asked.attemptId, why: response.why },
      'the directory server did not answer; the attempt ends with 3DS-TIMEOUT',
    )
    return updateAuthentication(sql, withResult(services, asked, { status: 'timeout' }))
  }
  const { value, ares, error } = readAnswer(response.text, transaction)
  const next = afterAnswer(services, asked, own, ares)
  const trace = maskedMessageTrace(asked, 'received', value)
  // A proof need not wait for the disk: recording the bank call does, before the bank is asked.
  const commitsAsynchronously = next.state === 'proven'
  const written = await recordTraceWithChange(services, trace, (traced) =>
    updateAuthentication(sql, next, { traced, commitsAsynchronously }),
  )
  if (!written) await recordTrace(services, trace)
  // Runs in the background: nothing depends on the response to an Erro.
  if (error) void services.tasks.add(complain(services, asked, own, buildErro(error, value)))
  return written
}

function readAnswer(
  text: string,
  transaction: KnownTransaction,
): { value: unknown; ares?: ARes; error?: ProtocolError } {
  const parsed = parseMessage(text)
  if ('error' in parsed) return { value: {}, error: parsed.error }
  const { value } = parsed
  // An Erro is never answered with an Erro.
  if (readErro(value)) return { value }
  const checked = readIncomingMessage('ARes', value, transaction)
  return 'error' in checked ? { value, error: checked.error } : { value, ares: checked.message }
}

function afterAnswer(
  services: Services,
  asked: Authentication,
  { acceptedStatuses }: OwnThreeDsAuthentication,
  ares: ARes | undefined,
): Authentication {
  if (!ares) return withResult(services, asked, { status: 'error' })
  const known = { ...asked, acsTransId: ares.acsTransId, dsTransId: ares.dsTransId }
  return ares.status === 'C'
    ? withChallenge(services, known, ares.acsUrl)
    : withResult(services, known, ares, acceptedStatuses)
}

/** Sends the directory server an Erro about its answer. The response is ignored. */
async function complain(
  services: Services,
  authentication: Authentication,
  { directoryUrl }: OwnThreeDsAuthentication,
  aboutAnswer: object,
): Promise<void> {
  const { attemptId: attempt, serverTransId: threeDSServerTransID } = authentication
  const erro = { ...aboutAnswer, ...(threeDSServerTransID && { threeDSServerTransID }) }
  try {
    await recordMessageTrace(services, authentication, 'sent', erro)
    await sendToDirectoryServer(services, directoryUrl, erro)
  } catch (err) {
    services.log.warn({ err, attempt }, 'sending an Erro to the directory server failed; will not retry')
  }
}
