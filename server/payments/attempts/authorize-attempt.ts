import type { SqlFragment } from '../../../kit/runtime/sql.ts'
import { DatabaseUnavailable } from '../../../kit/runtime/sql.ts'
import type { SealedCardWithKey } from '../../cards/index.ts'
import { openCard } from '../../cards/index.ts'
import type {
  Bank,
  BankAnswer,
  BankChargeRequest,
  BankPageProof,
  ThreeDsProof,
} from '../../connectors/index.ts'
import { servicesWithoutDeadline } from '../../database/request-sql.ts'
import type { Merchant } from '../../merchants/index.ts'
import { openPos } from '../../pos/index.ts'
import type { Services } from '../../services.ts'
import { askBank, newBankCall, unknownUnlessMatching } from '../bank-calls/ask-bank.ts'
import { maxRecordToCallDelayMs } from '../bank-calls/lease.ts'
import { attemptWithPaymentOf } from '../records/attempt.sql.ts'
import type { Attempt, AttemptWithPayment } from '../records/attempt.ts'
import { isBankCallRecorded, recordAnsweredCall } from '../records/bank-call.sql.ts'
import type { BankCall } from '../records/bank-call.ts'
import type { Transition } from '../transitions/transition.ts'
import { applyTransition } from '../transitions/transition.ts'
import type { AbandonCode } from './abandon-or-decline-attempt.ts'
import { endAttemptBeforeAuthorization } from './abandon-or-decline-attempt.ts'
import { afterAuthorization, isAwaitedByPayment } from './decide.ts'
import { bankCallSubjectOfAttempt, settleAttempt } from './settle-attempt.ts'

/** That the payer is the holder of the card, as proven by our own 3-D Secure or by the bank's page. */
export type AuthenticationProof = { by: 'us'; proof: ThreeDsProof } | { by: 'bank'; proof: BankPageProof }

export type AuthorizationRequestResult =
  /** The bank was asked; the state of the payment says what came of it. */
  | { outcome: 'asked'; context: AttemptWithPayment }
  /** It was not, and will not be: the payer may try again if the payment is open. */
  | { outcome: 'not_asked'; context: AttemptWithPayment | undefined }

/** An attempt whose payer is proven, with what its caller has just read of it: that is not read again. */
export interface AttemptToAuthorize {
  attemptId: number
  justRead?: { context: AttemptWithPayment; bank: Bank } | undefined
}

/**
 * Asks the bank for the money of an attempt whose payer is proven: begin, call, finish. Guarantee: it is asked at most
 * once, whatever arrives twice and whoever is killed when; that it is asked is written down before, and until its answer
 * is known nobody else pays. From then on it goes to its end, whatever the deadline of a request. `extraWrites` are part of
 * the query that writes the question down.
 */
export async function authorizeAttempt(
  services: Services,
  merchant: Merchant,
  { attemptId, justRead }: AttemptToAuthorize,
  proof: AuthenticationProof,
  extraWrites: readonly SqlFragment[] = [],
): Promise<AuthorizationRequestResult> {
  const ownedId = { merchantId: merchant.id, id: attemptId }
  const context = justRead?.context ?? (await attemptWithPaymentOf(services.sql, ownedId))
  if (!context || !mayBeAuthorized(context, services.clock.now())) return { outcome: 'not_asked', context }
  if (!covers(proof, context.attempt)) {
    services.log.error(
      { attempt: attemptId },
      'the authenticated amount or currency differs from the charge; the attempt ends unpaid',
    )
    return giveUp(services, merchant, context, 'other_terms')
  }
  // Nobody pays a merchant who may not collect, also one who was suspended after the card was typed.
  if (merchant.state !== 'active') return giveUp(services, merchant, context, 'merchant_suspended')
  const bank = justRead?.bank ?? (await openPos(services, merchant, context.attempt.posId))
  const ask = typeof bank === 'string' ? undefined : authorizeMethodOf(bank, context.attempt, proof)
  if (!ask) {
    const why = typeof bank === 'string' ? bank : 'it cannot do what was asked for'
    services.log.warn({ attempt: attemptId, why }, 'a POS is not usable; the attempt ends unpaid')
    return giveUp(services, merchant, context, 'pos_unreachable')
  }
  const pending = await begin(services, merchant, context, extraWrites)
  // What was read before somebody else got ahead says nothing any more.
  if (!pending && justRead) return authorizeAttempt(services, merchant, { attemptId }, proof, extraWrites)
  if (!pending) return { outcome: 'not_asked', context: undefined }
  return finish(servicesWithoutDeadline(services), merchant, pending, proof, ask)
}

/** Asks what was written down, if that can still be done. */
async function finish(
  services: Services,
  merchant: Merchant,
  pending: PendingAuthorization,
  proof: AuthenticationProof,
  ask: AuthorizeMethod,
): Promise<AuthorizationRequestResult> {
  const payment = meansOfPayment(services, pending, proof)
  if (!payment) return giveUp(services, merchant, pending.context, 'card_lost', pending.call)
  if (services.clock.now().getTime() - pending.call.askedAt.getTime() > maxRecordToCallDelayMs)
    return giveUp(services, merchant, pending.context, 'not_asked', pending.call)
  return { outcome: 'asked', context: await askAndFinish(services, merchant, pending, payment, ask) }
}

/** Whether it is this very charge that the holder agreed to. What a bank's page says is compared when it is read. */
function covers(proof: AuthenticationProof, { chargedMinor, currency }: Attempt): boolean {
  if (proof.by === 'bank') return true
  return proof.proof.amountMinor === chargedMinor && proof.proof.currency === currency
}

/** The one call, and what follows from its answer. */
async function askAndFinish(
  services: Services,
  merchant: Merchant,
  { context, call }: PendingAuthorization,
  payment: BankChargeRequest['payment'],
  ask: AuthorizeMethod,
): Promise<AttemptWithPayment> {
  const { attempt } = context
  const charge = { ...chargeOf(attempt), payment }
  const { response, answeredCall } = await askBank(services, call, async () =>
    unknownUnlessMatching(await ask(charge), attempt),
  )
  return settleAttempt(services, merchant, context, answeredCall, (now) =>
    afterAuthorization(now, response, services.clock.now(), services.config),
  )
}

type AuthorizeMethod = (charge: BankChargeRequest) => Promise<BankAnswer>

/** How this bank is asked for this attempt, if it can be. */
function authorizeMethodOf(
  bank: Bank,
  { preAuth }: Attempt,
  proof: AuthenticationProof,
): AuthorizeMethod | undefined {
  if (bank.authentication.by !== proof.by) return undefined
  return preAuth ? bank.preAuthorize?.bind(bank) : bank.authorize.bind(bank)
}

function mayBeAuthorized(context: AttemptWithPayment, now: Date): boolean {
  const { payment, attempt } = context
  const isFirst = isAwaitedByPayment(context) && attempt.state === 'authenticating'
  return isFirst && now.getTime() < payment.expiresAt.getTime()
}

interface PendingAuthorization {
  context: AttemptWithPayment
  call: BankCall
  card: SealedCardWithKey | undefined
}

/** Writes the question down and takes the card out, for this one time. Undefined if somebody else got ahead. */
async function begin(
  services: Services,
  merchant: Merchant,
  before: AttemptWithPayment,
  extraWrites: readonly SqlFragment[],
): Promise<PendingAuthorization | undefined> {
  const { payment, attempt } = before
  const call = await newBankCall(
    services,
    bankCallSubjectOfAttempt(attempt),
    attempt.preAuth ? 'pre_authorize' : 'authorize',
  )
  const { askedAt } = call
  const firstInquiryMs = (services.config.inquireAfterSeconds[0] ?? 0) * 1000
  const dueAt = new Date(askedAt.getTime() + firstInquiryMs)
  const transition: Transition = {
    before,
    payment: { ...payment, state: 'authorizing', dueAt: null, code: null, message: null },
    attempt: { ...attempt, state: 'authorizing', askedAt, dueAt },
    bankCall: call,
    cardToTake: attempt.id,
    extraWrites,
  }
  try {
    const result = await applyTransition(services, merchant, transition)
    if (!result?.attempt) return undefined
    return { context: { payment: result.payment, attempt: result.attempt }, call, card: result.card }
  } catch (error) {
    // Whether it was written is not known, but the database knows. The card that it handed out is lost either way.
    const { sql } = servicesWithoutDeadline(services)
    if (!(error instanceof DatabaseUnavailable) || !(await isBankCallRecorded(sql, call))) throw error
    const context = await attemptWithPaymentOf(sql, attempt)
    return context && { context, call, card: undefined }
  }
}

/** What the bank is to charge; undefined if the card is lost. */
function meansOfPayment(
  services: Services,
  { card: sealed, context }: PendingAuthorization,
  proof: AuthenticationProof,
): BankChargeRequest['payment'] | undefined {
  if (proof.by === 'bank') return proof
  const { merchantId, id: attemptId } = context.attempt
  const card = sealed && openCard(services, { merchantId, attemptId }, sealed)
  return card && { ...proof, card }
}

/** Ends an attempt that is known not to have been asked. */
async function giveUp(
  services: Services,
  merchant: Merchant,
  context: AttemptWithPayment,
  code: AbandonCode,
  call?: BankCall,
): Promise<AuthorizationRequestResult> {
  if (call)
    await recordAnsweredCall(services.sql, {
      ...call,
      answeredAt: services.clock.now(),
      outcome: 'not_asked',
    })
  const ended = await endAttemptBeforeAuthorization(services, merchant, context, { code })
  return { outcome: 'not_asked', context: ended }
}

function chargeOf(attempt: Attempt): Omit<BankChargeRequest, 'payment'> {
  const { reference, chargedMinor: amountMinor, currency, installment, payerAddress } = attempt
  return { reference, amountMinor, currency, installment, payerAddress }
}
