import type { Insert, SqlFragment } from '../../../kit/runtime/sql.ts'
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
import { merchantById } from '../../merchants/index.ts'
import { openPos } from '../../pos/index.ts'
import type { Services } from '../../services.ts'
import { askBank, newBankCall, unknownUnlessMatching } from '../bank-calls/ask-bank.ts'
import { bankCallSubjectOf, maxRecordToCallDelayMs, settle } from '../bank-calls/bank-work.ts'
import { attemptWithPaymentOf } from '../records/attempt.sql.ts'
import type { Attempt, AttemptWithPayment } from '../records/attempt.ts'
import { isBankCallRecorded, recordAnsweredCall } from '../records/bank-call.sql.ts'
import type { BankCall } from '../records/bank-call.ts'
import type { Transition } from '../transitions/transition.ts'
import { applyTransition } from '../transitions/transition.ts'
import type { AbandonCode } from './abandon-or-decline-attempt.ts'
import { endAttemptBeforeAuthorization } from './abandon-or-decline-attempt.ts'
import { attemptWork } from './attempt-work.ts'
import { afterAuthorization, isAwaitedByPayment } from './decide.ts'

/** Proof that the payer is the cardholder, from our own 3-D Secure or from the bank's page. */
export type AuthenticationProof =
  | { by: 'three_ds_server'; proof: ThreeDsProof }
  | { by: 'bank_page'; proof: BankPageProof }

export type AuthorizationRequestResult =
  /** The bank was asked; the payment's state shows the result. */
  | { outcome: 'asked'; context: AttemptWithPayment }
  /** The bank was not asked and will not be. The payer can try again if the payment is open. */
  | { outcome: 'not_asked'; context: AttemptWithPayment | undefined }

/** An authenticated attempt. State that the caller has just read is not read again. */
export interface AttemptToAuthorize {
  attemptId: number
  justRead?: { context: AttemptWithPayment; bank: Bank } | undefined
}

/**
 * Asks the bank to authorize an authenticated attempt: begin, call, finish. Guarantee: the bank is asked at
 * most once, even after duplicate requests or a killed process. The call is recorded before it is made, and
 * no other attempt can start until its answer is known. Once recorded, it runs to its end even past the
 * deadline of the request. `extraWrites` are part of the query that records the call.
 */
export async function authorizeAttempt(
  services: Services,
  merchant: Merchant,
  { attemptId, justRead }: AttemptToAuthorize,
  proof: AuthenticationProof,
  extraWrites: readonly (SqlFragment | Insert)[] = [],
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
  // A suspended merchant must not collect, even if the card was submitted before the suspension.
  if (merchant.state !== 'active') return giveUp(services, merchant, context, 'merchant_suspended')
  const bank = justRead?.bank ?? (await openPos(services, merchant, context.attempt.posId))
  const ask = typeof bank === 'string' ? undefined : authorizeMethodOf(bank, context.attempt, proof)
  if (!ask) {
    const why = typeof bank === 'string' ? bank : 'the connector does not support this operation'
    services.log.warn({ attempt: attemptId, why }, 'a POS is not usable; the attempt ends unpaid')
    return giveUp(services, merchant, context, 'pos_unreachable')
  }
  const pending = await begin(services, merchant, context, extraWrites)
  if (!pending) {
    // A concurrent change made the read state stale; start again with a fresh read.
    const current = (await merchantById(services.sql, merchant.id)) ?? merchant
    if (justRead || current.state !== merchant.state)
      return authorizeAttempt(services, current, { attemptId }, proof, extraWrites)
    return { outcome: 'not_asked', context: undefined }
  }
  return finish(servicesWithoutDeadline(services), merchant, pending, proof, ask)
}

/** Makes the recorded call, if that is still possible. */
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

/**
 * True if the cardholder agreed to this amount and currency. The answer of a bank's page is checked when it
 * is read.
 */
function covers(proof: AuthenticationProof, { chargedMinor, currency }: Attempt): boolean {
  if (proof.by === 'bank_page') return true
  return proof.proof.amountMinor === chargedMinor && proof.proof.currency === currency
}

/** Makes the call and applies its answer. */
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
  return settle(services, merchant, attemptWork, context, answeredCall, (now) =>
    afterAuthorization(now, response, services.clock.now(), services.config),
  )
}

type AuthorizeMethod = (charge: BankChargeRequest) => Promise<BankAnswer>

/** The bank's method for this attempt; undefined if the bank cannot do it. */
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

/** Records the call and takes the sealed card, once. Undefined if a concurrent change or a suspension came first. */
async function begin(
  services: Services,
  merchant: Merchant,
  before: AttemptWithPayment,
  extraWrites: readonly (SqlFragment | Insert)[],
): Promise<PendingAuthorization | undefined> {
  const { payment, attempt } = before
  const call = await newBankCall(
    services,
    bankCallSubjectOf(before),
    attempt.preAuth ? 'pre_authorize' : 'authorize',
  )
  const { askedAt } = call
  const firstInquiryMs = (services.config.inquireAfterSeconds[0] ?? 0) * 1000
  const dueAt = new Date(askedAt.getTime() + firstInquiryMs)
  const transition: Transition<AttemptWithPayment> = {
    before,
    payment: { ...payment, state: 'authorizing', dueAt: null, code: null, message: null },
    attempt: { ...attempt, state: 'authorizing', askedAt, dueAt },
    bankCall: call,
    cardToTake: attempt.id,
    activeMerchantId: merchant.id,
    extraWrites,
  }
  try {
    const result = await applyTransition(services, merchant, transition)
    return result && { context: result.after, call, card: result.card }
  } catch (error) {
    // The write's outcome is unknown here, so the database is asked. The card it returned is lost either way.
    const { sql } = servicesWithoutDeadline(services)
    if (!(error instanceof DatabaseUnavailable) || !(await isBankCallRecorded(sql, call))) throw error
    const context = await attemptWithPaymentOf(sql, attempt)
    return context && { context, call, card: undefined }
  }
}

/** Proof and card for the bank; undefined if the card is lost. */
function meansOfPayment(
  services: Services,
  { card: sealed, context }: PendingAuthorization,
  proof: AuthenticationProof,
): BankChargeRequest['payment'] | undefined {
  if (proof.by === 'bank_page') return proof
  const { merchantId, id: attemptId } = context.attempt
  const card = sealed && openCard(services, { merchantId, attemptId }, sealed)
  return card && { ...proof, card }
}

/** Ends an attempt for which the bank was certainly not asked. */
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
