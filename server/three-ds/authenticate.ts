import { peekCard } from '../cards/index.ts'
import type { OwnAuthentication } from '../connectors/index.ts'
import { customerById } from '../customers/index.ts'
import type { PaymentCard } from '../kit/card.ts'
import { numberOfCountry } from '../kit/iso-numbers.ts'
import { phoneOf } from '../kit/phone.ts'
import type { Merchant } from '../merchants/index.ts'
import { abandonAttempt, attemptOf, passageTo, paymentById } from '../payments/index.ts'
import { openPos } from '../pos/index.ts'
import type { Services } from '../services.ts'
import { askDirectory } from './ask-directory.ts'
import type { Authentication } from './authentication.ts'
import { later, ownStatuses } from './authentication.ts'
import { server } from './card-ranges.ts'
import { concludeSoon, waitedFor } from './conclude.ts'
import { countOutcome } from './count-outcome.ts'
import type { Result } from './decide.ts'
import { challenged, ended, silence } from './decide.ts'
import { sealCryptogram } from './proof.ts'
import type { AReqInput } from './protocol/areq.ts'
import { buildAReq } from './protocol/areq.ts'
import type { ARes } from './protocol/ares.ts'
import type { BrowserFacts } from './protocol/browser.ts'
import { cleanBrowser } from './protocol/browser.ts'
import { checkMessage } from './protocol/check.ts'
import { plainText } from './protocol/clip.ts'
import { buildErro, readErro } from './protocol/erro.ts'
import type { Fault } from './protocol/fault.ts'
import { parseMessage } from './protocol/reading.ts'
import { sentIn } from './sent.ts'
import type { Browser, FrameSize, Step } from './step.ts'
import { stepOf } from './step.ts'
import { authenticationOfAttempt, updateAuthentication } from './store.ts'
import { traceMessage } from './trace-message.ts'

/**
 * Asks the issuer, by way of the directory server, whether the payer is the holder, once the browser has said what it
 * is. Guarantee: the issuer is asked once, whatever arrives twice; only what can be understood and is about this very
 * transaction counts.
 */
export async function authenticate(
  services: Services,
  merchant: Merchant,
  browser: Browser,
  facts: BrowserFacts,
  room?: FrameSize,
): Promise<Step> {
  const whose = { merchantId: merchant.id, attemptId: browser.attemptId }
  const authentication = await authenticationOfAttempt(services.sql, whose)
  if (authentication?.way === 'us' && authentication.state === 'begun')
    await ask(services, merchant, authentication, { browser, facts })
  return stepOf(services, merchant, browser, room)
}

async function ask(
  services: Services,
  merchant: Merchant,
  begun: Authentication,
  { browser, facts }: { browser: Browser; facts: BrowserFacts },
): Promise<void> {
  const { sql, clock, config } = services
  const now = clock.now()
  const dueAt = later(now, config.directoryPatienceSeconds * 3)
  const asking: Authentication = { ...begun, state: 'asking', askedAt: now, dueAt }
  if (!(await updateAuthentication(sql, asking))) return
  const authentication = { ...asking, version: asking.version + 1 }
  const attempt = await attemptOf(services, authentication)
  if (attempt?.state !== 'authenticating') return
  const bank = await openPos(services, merchant, attempt.posId)
  const own = typeof bank === 'string' ? undefined : bank.authentication
  const card = await peekCard(services, authentication)
  if (own?.by !== 'us' || !card) {
    const code = card ? 'pos_unreachable' : 'card_lost'
    await abandonAttempt(services, merchant, { id: attempt.id, code })
    return
  }
  const holder = await holderOf(services, authentication, card)
  const areq = messageOf(services, merchant, authentication, { browser, facts, card, own, holder })
  const next = await answerTo(services, merchant, { authentication, own }, areq)
  if (!(await updateAuthentication(sql, next)) || next.state === 'challenging') return
  countOutcome(services, 'us', next.status ?? '')
  concludeSoon(services, next)
}

type Holder = AReqInput['holder']

/** Who pays, as far as the merchant or the card says so. Issuers ask the fewer questions the more they know. */
async function holderOf(
  { sql }: Pick<Services, 'sql'>,
  { merchantId, paymentId }: Authentication,
  { holder: name }: PaymentCard,
): Promise<Holder> {
  const payment = await paymentById(sql, merchantId, paymentId)
  const customerId = payment?.customerId ?? null
  const customer = customerId === null ? undefined : await customerById(sql, merchantId, customerId)
  return { name, email: customer?.email ?? null, phone: (customer && phoneOf(customer.phone)) ?? null }
}

function messageOf(
  services: Services,
  merchant: Merchant,
  authentication: Authentication,
  told: { browser: Browser; facts: BrowserFacts; card: PaymentCard; own: OwnAuthentication; holder: Holder },
) {
  const { browser, facts, card, own, holder } = told
  const { pageUrl } = services.config
  const sent = sentIn(authentication, merchant)
  const { methodUrl, methodHeardAt } = authentication
  return buildAReq({
    mode: sent.mode,
    version: sent.version,
    serverTransId: sent.serverTransId,
    server: { ...server, url: `${pageUrl}/3ds/results/${passageTo(services, 'results', browser)}` },
    notificationUrl: `${pageUrl}/3ds/challenge/${passageTo(services, 'challenge', browser)}`,
    requestor: { id: own.acquirerMerchantId, name: merchant.name, url: pageUrl },
    acquirer: { bin: own.acquirerBin, merchantId: own.acquirerMerchantId },
    merchant: {
      name: merchant.name,
      countryNumber: numberOfCountry(merchant.country) ?? '792',
      category: own.merchantCategory,
    },
    card,
    holder,
    amountMinor: authentication.amountMinor,
    currency: authentication.currency,
    purchasedAt: authentication.askedAt ?? services.clock.now(),
    methodCompletion: methodHeardAt ? 'Y' : methodUrl ? 'N' : 'U',
    challengeIndicator: own.challengeIndicator,
    browser: cleanBrowser(facts, sent.version),
  })
}

/** What follows from what the directory server answers. */
async function answerTo(
  services: Services,
  merchant: Merchant,
  { authentication, own }: { authentication: Authentication; own: OwnAuthentication },
  areq: object,
): Promise<Authentication> {
  await traceMessage(services, authentication, 'sent', areq)
  const said = await askDirectory(services, own.directoryUrl, areq)
  const { clock, config } = services
  if ('lost' in said) {
    services.log.warn(
      { attempt: authentication.attemptId, why: said.why },
      'the directory server did not answer',
    )
    return ended(authentication, silence(ownStatuses.timeout), [], clock.now())
  }
  const read = readAnswer(said.text, authentication, merchant, own)
  await traceMessage(services, authentication, 'received', read.value)
  if ('error' in read) {
    // Nobody waits for what it answers to that.
    const told = complain(services, authentication, own, read).catch((err: unknown) =>
      services.log.warn({ err, attempt: authentication.attemptId }, 'the directory server could not be told'),
    )
    void waitedFor(services, told)
    return ended(authentication, silence(ownStatuses.error), [], clock.now())
  }
  const { ares } = read
  if (ares.status === 'C') {
    const { acsUrl, acsTransId: acsId, dsTransId: directoryId } = ares
    return challenged(authentication, { acsUrl, acsId, directoryId }, clock.now(), config)
  }
  const known = { ...authentication, acsId: ares.acsTransId, directoryId: ares.dsTransId }
  const result = resultOf(ares)
  return withProof(services, ended(known, result, own.accepts, clock.now()), result)
}

/** The cryptogram is kept, sealed, only where it will be needed. */
export function withProof(
  services: Pick<Services, 'keyring' | 'random'>,
  authentication: Authentication,
  { cryptogram }: Result,
): Authentication {
  if (authentication.state !== 'proven' || cryptogram === null) return authentication
  return { ...authentication, proof: sealCryptogram(services, authentication, cryptogram) }
}

type Read = { value: unknown } & ({ ares: ARes } | { error: Fault | undefined })

function readAnswer(
  text: string,
  authentication: Authentication,
  merchant: Merchant,
  own: OwnAuthentication,
): Read {
  const parsed = parseMessage(text)
  if ('error' in parsed) return { value: {}, error: parsed.error }
  const { value } = parsed
  // An Erro is never answered with another.
  if (readErro(value)) return { value, error: undefined }
  const sent = { ...sentIn(authentication, merchant), challengeIndicator: own.challengeIndicator }
  const checked = checkMessage('ARes', value, sent)
  return 'error' in checked ? { value, error: checked.error } : { value, ares: checked.message }
}

/** Tells the directory server what was wrong with its answer. What it answers to that is nothing to us. */
async function complain(
  services: Services,
  authentication: Authentication,
  { directoryUrl }: OwnAuthentication,
  { value, error }: { value: unknown; error: Fault | undefined },
): Promise<void> {
  if (!error) return
  const { serverId: threeDSServerTransID } = authentication
  const erro = { ...buildErro(error, value), ...(threeDSServerTransID && { threeDSServerTransID }) }
  await traceMessage(services, authentication, 'sent', erro)
  await askDirectory(services, directoryUrl, erro)
}

function resultOf(ares: Exclude<ARes, { status: 'C' }>): Result {
  return {
    status: ares.status,
    reason: 'reason' in ares ? ares.reason : null,
    cancel: null,
    eci: ares.eci,
    cryptogram: 'cavv' in ares ? ares.cavv : null,
    holderText: ares.cardholderInfo === null ? null : plainText(ares.cardholderInfo),
  }
}
