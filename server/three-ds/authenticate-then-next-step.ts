import type { PaymentCard } from '../../kit/money/card.ts'
import { numericCountryCode } from '../../kit/money/iso-numeric-codes.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { Sql, SqlFragment } from '../../kit/runtime/sql.ts'
import { parseInternationalPhone } from '../../kit/text/phone.ts'
import { openCard } from '../cards/index.ts'
import type { OwnThreeDsAuthentication } from '../connectors/index.ts'
import type { Contact } from '../customers/index.ts'
import type { Merchant } from '../merchants/index.ts'
import { abandonOrDeclineAttempt, decodePageToken, sealReturnToken } from '../payments/for-three-ds.ts'
import type { Attempt } from '../payments/index.ts'
import { openSealedPos } from '../pos/index.ts'
import type { Services } from '../services.ts'
import { recordTrace, recordTraceWithChange } from '../traces/index.ts'
import type { Authentication } from './authentication.ts'
import { addSeconds, ownNoVerdictStatuses } from './authentication.ts'
import type { BrowserStep, FrameSize, PaymentWithAuthentication } from './browser-step.ts'
import { nextBrowserStep, waitOrOverStep } from './browser-step.ts'
import { threeDsServerIdentity } from './card-enrolment.ts'
import { countOutcome } from './count-outcome.ts'
import type { AuthenticationResult } from './decide.ts'
import { noVerdictResult, withChallenge, withResult } from './decide.ts'
import { finishInBackground, trackBackgroundWork } from './finish-authentication.ts'
import { knownTransactionOf } from './known-transaction.ts'
import { maskedMessageTrace, recordMessageTrace } from './message-trace.ts'
import { sealCryptogram } from './proof.ts'
import type { AReqInput } from './protocol/areq.ts'
import { buildAReq } from './protocol/areq.ts'
import type { ARes } from './protocol/ares.ts'
import type { BrowserFacts } from './protocol/browser.ts'
import { browserElementsFrom } from './protocol/browser.ts'
import { withoutControlCharacters } from './protocol/clip.ts'
import { buildErro, readErro } from './protocol/erro.ts'
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
  const after = await ask(services, { ...context, attempt, authentication }, { page, facts })
  if (after && 'step' in after) return after
  const now = after ?? (await read(services, page))
  return now && nextBrowserStep(services, now, page, room)
}

async function read({ sql, clock }: Services, page: string): Promise<AuthenticationContext | undefined> {
  const token = decodePageToken(page)
  return token && authenticationContextOfVisit(sql, { ...token, now: clock.now(), language: null })
}

type ReadyContext = AuthenticationContext & { attempt: Attempt; authentication: Authentication }

/** Returns the next step or the new state; undefined if another request got ahead. */
async function ask(
  services: Services,
  context: ReadyContext,
  { page, facts }: { page: string; facts: BrowserFacts },
): Promise<BrowserStep | PaymentWithAuthentication | undefined> {
  const { sql, clock, config } = services
  const { merchant, attempt, authentication: started } = context
  const bank = openSealedPos(services, merchant, context.pos)
  const own = typeof bank === 'string' ? undefined : bank.authentication
  const card = context.card && openCard(services, started, context.card)
  if (typeof bank === 'string' || own?.by !== 'three_ds_server' || !card) {
    const code = card ? 'pos_unreachable' : 'card_lost'
    const attemptWithPayment = await abandonOrDeclineAttempt(services, merchant, { id: attempt.id, code })
    return attemptWithPayment && waitOrOverStep(attemptWithPayment.payment)
  }
  const now = clock.now()
  const dueAt = addSeconds(now, config.directoryTimeoutSeconds * 3)
  const asking: Authentication = { ...started, state: 'asking', askedAt: now, dueAt }
  const holder = holderOf(card, context.contact)
  const areq = messageOf(services, merchant, asking, { page, facts, card, own, holder })
  if (
    !(await recordTraceWithChange(services, maskedMessageTrace(asking, 'sent', areq), updateTo(sql, asking)))
  )
    return undefined
  const authentication = { ...asking, version: asking.version + 1 }
  const next = await answerTo(services, merchant, { authentication, own }, areq)
  if (!next) return undefined
  if (next.state === 'challenging') return { ...context, authentication: next }
  countOutcome(services, 'three_ds_server', next.status ?? '')
  const ofAttempt = { context: { payment: context.payment, attempt }, bank }
  const finishing = finishInBackground(services, next, { authentication: next, merchant, ofAttempt })
  const attemptWithPayment = await within(clock, soonMs, finishing)
  return attemptWithPayment
    ? waitOrOverStep(attemptWithPayment.payment)
    : { ...context, authentication: next }
}

const updateTo =
  (sql: Sql, after: Authentication) =>
  (traced?: SqlFragment): Promise<boolean> =>
    updateAuthentication(sql, after, traced)

/** Result of the work, undefined if it takes longer than `ms`. */
async function within<Result>(clock: Clock, ms: number, work: Promise<Result>): Promise<Result | undefined> {
  const done = new AbortController()
  try {
    return await Promise.race([work, clock.sleep(ms, done.signal).then(() => undefined)])
  } finally {
    done.abort()
  }
}

type Holder = AReqInput['holder']

/** Payer data from the card form and the merchant. Issuers that know more request fewer challenges. */
function holderOf({ holder: name }: PaymentCard, contact: Contact | undefined): Holder {
  return {
    name,
    email: contact?.email ?? null,
    phone: (contact && parseInternationalPhone(contact.phone)) ?? null,
  }
}

function messageOf(
  services: Services,
  merchant: Merchant,
  authentication: Authentication,
  input: {
    page: string
    facts: BrowserFacts
    card: PaymentCard
    own: OwnThreeDsAuthentication
    holder: Holder
  },
) {
  const { page, facts, card, own, holder } = input
  const browser = { attemptId: authentication.attemptId, page }
  const { pageUrl } = services.config
  const transaction = knownTransactionOf(authentication, merchant)
  const { methodUrl, methodCompletedAt } = authentication
  return buildAReq({
    environment: transaction.environment,
    version: transaction.version,
    serverTransId: transaction.serverTransId,
    server: {
      ...threeDsServerIdentity,
      url: `${pageUrl}/3ds/results/${sealReturnToken(services, 'results', browser)}`,
    },
    notificationUrl: `${pageUrl}/3ds/challenge/${sealReturnToken(services, 'challenge', browser)}`,
    requestor: { id: own.acquirerMerchantId, name: merchant.name, url: pageUrl },
    acquirer: { bin: own.acquirerBin, merchantId: own.acquirerMerchantId },
    merchant: {
      name: merchant.name,
      countryNumber: numericCountryCode(merchant.country) ?? '792',
      category: own.merchantCategory,
    },
    card,
    holder,
    amountMinor: authentication.amountMinor,
    currency: authentication.currency,
    purchasedAt: authentication.askedAt ?? services.clock.now(),
    methodCompletion: methodCompletedAt ? 'Y' : methodUrl ? 'N' : 'U',
    challengeIndicator: own.challengeIndicator,
    browser: browserElementsFrom(facts, transaction.version),
  })
}

/**
 * Stores and returns the outcome of the directory server's answer; undefined if it was given up meanwhile.
 */
async function answerTo(
  services: Services,
  merchant: Merchant,
  { authentication, own }: { authentication: Authentication; own: OwnThreeDsAuthentication },
  areq: object,
): Promise<Authentication | undefined> {
  const { sql, clock } = services
  const response = await sendToDirectoryServer(services, own.directoryUrl, areq)
  if ('errorCode' in response) {
    services.log.warn(
      { attempt: authentication.attemptId, why: response.why },
      'the directory server did not answer; the attempt ends with 3DS-TIMEOUT',
    )
    const silent = withResult(authentication, noVerdictResult(ownNoVerdictStatuses.timeout), [], clock.now())
    return (await updateAuthentication(sql, silent)) ? withNextVersion(silent) : undefined
  }
  const answer = readAnswer(response.text, authentication, merchant, own)
  const next = afterAnswer(services, authentication, own, answer)
  const trace = maskedMessageTrace(authentication, 'received', answer.value)
  const isWritten = await recordTraceWithChange(services, trace, updateTo(sql, next))
  if (!isWritten) await recordTrace(services, trace)
  if ('error' in answer) {
    // Runs in the background: nothing depends on the response to an Erro.
    const complaint = complain(services, authentication, own, answer).catch((err: unknown) =>
      services.log.warn(
        { err, attempt: authentication.attemptId },
        'sending an Erro to the directory server failed; will not retry',
      ),
    )
    void trackBackgroundWork(services, complaint)
  }
  return isWritten ? withNextVersion(next) : undefined
}

function withNextVersion(authentication: Authentication): Authentication {
  return { ...authentication, version: authentication.version + 1 }
}

function afterAnswer(
  services: Services,
  authentication: Authentication,
  own: OwnThreeDsAuthentication,
  answer: DirectoryAnswer,
): Authentication {
  const { clock, config } = services
  if ('error' in answer)
    return withResult(authentication, noVerdictResult(ownNoVerdictStatuses.error), [], clock.now())
  const { ares } = answer
  if (ares.status === 'C') {
    const { acsUrl, acsTransId, dsTransId } = ares
    return withChallenge(authentication, { acsUrl, acsTransId, dsTransId }, clock.now(), config)
  }
  const known = { ...authentication, acsTransId: ares.acsTransId, dsTransId: ares.dsTransId }
  const result = resultOf(ares)
  return withSealedCryptogramIfProven(
    services,
    withResult(known, result, own.acceptedStatuses, clock.now()),
    result,
  )
}

/** Stores the sealed cryptogram only if the authorization will need it. */
export function withSealedCryptogramIfProven(
  services: Pick<Services, 'keyring' | 'random'>,
  authentication: Authentication,
  { cryptogram }: AuthenticationResult,
): Authentication {
  if (authentication.state !== 'proven' || cryptogram === null) return authentication
  return { ...authentication, proof: sealCryptogram(services, authentication, cryptogram) }
}

type DirectoryAnswer = { value: unknown } & ({ ares: ARes } | { error: ProtocolError | undefined })

function readAnswer(
  text: string,
  authentication: Authentication,
  merchant: Merchant,
  own: OwnThreeDsAuthentication,
): DirectoryAnswer {
  const parsed = parseMessage(text)
  if ('error' in parsed) return { value: {}, error: parsed.error }
  const { value } = parsed
  // An Erro is never answered with an Erro.
  if (readErro(value)) return { value, error: undefined }
  const transaction = {
    ...knownTransactionOf(authentication, merchant),
    challengeIndicator: own.challengeIndicator,
  }
  const checked = readIncomingMessage('ARes', value, transaction)
  return 'error' in checked ? { value, error: checked.error } : { value, ares: checked.message }
}

/** Sends the directory server an Erro about its answer. The response is ignored. */
async function complain(
  services: Services,
  authentication: Authentication,
  { directoryUrl }: OwnThreeDsAuthentication,
  { value, error }: { value: unknown; error: ProtocolError | undefined },
): Promise<void> {
  if (!error) return
  const { serverTransId: threeDSServerTransID } = authentication
  const erro = { ...buildErro(error, value), ...(threeDSServerTransID && { threeDSServerTransID }) }
  await recordMessageTrace(services, authentication, 'sent', erro)
  await sendToDirectoryServer(services, directoryUrl, erro)
}

function resultOf(ares: Exclude<ARes, { status: 'C' }>): AuthenticationResult {
  return {
    status: ares.status,
    reason: 'reason' in ares ? ares.reason : null,
    cancel: null,
    eci: ares.eci,
    cryptogram: 'cavv' in ares ? ares.cavv : null,
    holderText: ares.cardholderInfo === null ? null : withoutControlCharacters(ares.cardholderInfo),
  }
}
