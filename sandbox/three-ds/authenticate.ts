import type { Clock } from '../../kit/runtime/clock.ts'
import type { Sql } from '../../kit/runtime/sql.ts'
import type { Random } from '../../kit/security/random.ts'
import type { Language } from '../../kit/text/locale.ts'
import { cavvFor, saltBytes } from '../bank/cavv.ts'
import { maskOf } from './authentication.ts'
import type { AcsBehaviour } from './authentication-cards.ts'
import { behaviourOf } from './behaviour.ts'
import { dateTimeOf } from './field-checks.ts'
import { currencyByNumber } from './iso-codes.ts'
import type { AcsMessage } from './message.ts'
import { InvalidMessage, newTransactionId } from './message.ts'
import type { AuthenticationRequest } from './requests.ts'
import type { FinalStatus } from './scheme.ts'
import { eciFor, schemeOf } from './scheme.ts'
import type { NewAuthentication } from './store.ts'
import { insertAuthentication } from './store.ts'

/** Time within which the browser must open the challenge. */
const arrivalMs = 30_000

export interface AcsTools {
  sql: Sql
  clock: Clock
  random: Random
}

/** Text for a cardholder who is not authenticated (`cardholderInfo`). At most 128 characters. */
const advice: Record<Language, string> = {
  tr: 'Ödemeniz doğrulanamadı. Bilgi için Sandbox Bank müşteri hizmetlerini arayabilirsiniz.',
  en: 'Your payment could not be verified. Please call the customer service of Sandbox Bank.',
}

type Decision = AcsBehaviour & { answer: FinalStatus | 'C' }

/**
 * Decides by the card and the challenge indicator:
 * - 04, a challenge mandate, turns a frictionless Y into a challenge.
 * - 06, data share only, turns a challenge into I.
 * - I becomes U unless the indicator is 05, 06 or 07.
 */
function decisionOn(behaviour: AcsBehaviour, challengeIndicator: string): Decision {
  const { answer, ...rest } = behaviour
  if (answer === 'error') throw new InvalidMessage('404', 'The bank of this card cannot be reached.')
  if (answer === 'timeout') throw new InvalidMessage('402', 'The bank of this card did not answer in time.')
  if (answer === 'not enrolled') throw new InvalidMessage('305', 'acctNumber')
  const mayInform = ['05', '06', '07'].includes(challengeIndicator)
  if (answer === 'Y' && challengeIndicator === '04' && behaviour.quirk === undefined)
    return { answer: 'C', meaning: 'Y' }
  if (answer === 'C' && challengeIndicator === '06') return { answer: 'I' }
  if (answer === 'I' && !mayInform) return { ...rest, answer: 'U' }
  return { ...rest, answer }
}

/**
 * Answers an authentication request as the card's ACS. Guarantee: a challenge is stored with its deadline
 * before the answer is sent.
 */
export async function authenticate(
  { sql, clock, random }: AcsTools,
  request: AuthenticationRequest,
  address: string,
): Promise<AcsMessage> {
  const { acctNumber, purchaseCurrency, purchaseExponent, purchaseDate, purchaseAmount } = request
  const decision = decisionOn(behaviourOf(acctNumber), request.threeDSRequestorChallengeInd)
  const { answer, meaning = null, quirk = null } = decision
  const now = clock.now()
  const made: NewAuthentication = {
    acsTransId: newTransactionId(random),
    serverTransId: request.threeDSServerTransID,
    dsTransId: newTransactionId(random),
    version: request.version,
    card: maskOf(acctNumber),
    scheme: schemeOf(acctNumber),
    merchantName: request.merchantName,
    amount: String(BigInt(purchaseAmount)),
    currency: currencyByNumber(purchaseCurrency) ?? '',
    exponent: Number(purchaseExponent),
    purchasedAt: dateTimeOf(purchaseDate) ?? now,
    language: /^tr\b/i.test(request.browserLanguage) ? 'tr' : 'en',
    resultsUrl: request.threeDSServerURL,
    notificationUrl: request.notificationURL,
    initialStatus: answer,
    meaning,
    quirk,
    code: answer === 'C' ? newCode(random) : null,
    askedAt: now,
    deadlineAt: answer === 'C' ? new Date(now.getTime() + arrivalMs) : null,
  }
  await insertAuthentication(sql, made)
  return responseOf(made, request, decision, { random, address })
}

function newCode(random: Random): string {
  return String(random.bytes(4).readUInt32BE() % 1_000_000).padStart(6, '0')
}

function responseOf(
  made: NewAuthentication,
  request: AuthenticationRequest,
  { answer, reason, quirk }: Decision,
  { random, address }: { random: Random; address: string },
): AcsMessage {
  const response = {
    messageType: 'ARes',
    messageVersion: made.version,
    threeDSServerTransID: made.serverTransId,
    acsTransID: made.acsTransId,
    acsReferenceNumber: 'SANDBOX-BANK-ACS',
    acsOperatorID: 'SANDBOX-BANK',
    dsReferenceNumber: 'SANDBOX-DS',
    dsTransID: made.dsTransId,
    transStatus: answer,
  }
  if (answer === 'C') {
    const acsURL = `${address}/acs/${quirk === 'page silent' ? 'silent' : 'challenge'}`
    return { ...response, acsURL, acsChallengeMandated: 'Y', authenticationType: '02' }
  }
  const eci = eciFor(made.scheme, answer, request.threeDSRequestorChallengeInd === '06')
  if (answer === 'N' || answer === 'U' || answer === 'R') {
    const cardholderInfo = advice[made.language]
    return { ...response, eci, transStatusReason: reason ?? '01', cardholderInfo }
  }
  const authenticationValue = cavvFor(
    { amount: BigInt(made.amount), currency: made.currency },
    random.bytes(saltBytes),
  )
  const whole = { ...response, eci, authenticationValue }
  if (quirk === 'answer mangled') return { ...whole, authenticationValue: authenticationValue.slice(1) }
  if (quirk === 'answer of another') return { ...whole, threeDSServerTransID: newTransactionId(random) }
  return whole
}
