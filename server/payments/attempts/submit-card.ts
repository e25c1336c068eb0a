import type { PaymentCard } from '../../../kit/money/card.ts'
import type { Insert, SqlFragment } from '../../../kit/runtime/sql.ts'
import type { Language } from '../../../kit/text/locale.ts'
import { fingerprintsOf, rateLimitAttempt, sealCard } from '../../cards/index.ts'
import type { Bank, BankForm, OwnThreeDsAuthentication } from '../../connectors/index.ts'
import type { Payer } from '../../customers/index.ts'
import { customerOfPayer } from '../../customers/index.ts'
import type { Merchant } from '../../merchants/index.ts'
import type { Plan, PricedSealedPos } from '../../pos/index.ts'
import { makeOfferFromPoses, openSealedPos } from '../../pos/index.ts'
import type { Services } from '../../services.ts'
import { recordTrace } from '../../traces/index.ts'
import { sealReturnToken } from '../addresses/return-token.ts'
import { attemptWithPaymentBySubmission } from '../records/attempt.sql.ts'
import type { Attempt, AttemptWithPayment } from '../records/attempt.ts'
import { attempts, newReference } from '../records/attempt.ts'
import type { Instrument } from '../records/instrument.ts'
import type { CheckoutContext } from '../records/page.sql.ts'
import { checkoutContextOf } from '../records/page.sql.ts'
import { paymentById } from '../records/payment.sql.ts'
import type { Payment } from '../records/payment.ts'
import { pageAsksForCustomer } from '../records/payment.ts'
import type { PaymentState } from '../records/states.ts'
import { maxAttempts } from '../records/states.ts'
import { conflictSentinel, retryOnConflict } from '../transitions/retry-on-conflict.ts'
import { applyTransition } from '../transitions/transition.ts'
import { abandonOrDeclineAttempt } from './abandon-or-decline-attempt.ts'

export interface CardSubmission {
  /** Key that the page gives this submission; a retry has the same key. Null if the page sent none. */
  name: string | null
  card: PaymentCard
  /** Undefined if the merchant named the customer. */
  payer: Payer | undefined
  installment: number
  /** Total amount that the payer was shown. */
  chargedMinor: number
  payerAddress: string
  language: Language
  /** Token of the payment page's address, for the return from a bank. */
  page: string
  /** Write of our own 3-D Secure that belongs to the new attempt. */
  extraWrite?: (attempt: Attempt, authentication: OwnThreeDsAuthentication) => Promise<ExtraWrite>
}

/** Write of another feature in the query that begins an attempt, with its follow-up. */
export interface ExtraWrite {
  /** Selects from `transition`. */
  part: SqlFragment | Insert
  afterWrite(): void
}

/**
 * Authentication of the payer: by our own 3-D Secure, or by a form with the card that the browser posts to
 * the bank.
 */
export type AuthenticationStart =
  | { by: 'three_ds_server'; authentication: OwnThreeDsAuthentication }
  | { by: 'bank_page'; form: BankForm; formHost: string }

export type CardSubmissionResult =
  | { outcome: 'begun'; payment: Payment; attempt: Attempt; mode: AuthenticationStart }
  /** The payment has ended, or a bank is being asked. */
  | { outcome: 'not_open'; state: PaymentState }
  | { outcome: 'limited'; retryAfterS: number }
  /** The chosen plan is not offered any more, or not at that price. */
  | { outcome: 'offer_changed' }
  /** No POS takes this card now. */
  | { outcome: 'nothing_offered' }
  /** A suspended merchant must not collect. */
  | { outcome: 'merchant_suspended' }
  /** The POS cannot be opened. This costs the payer no attempt. */
  | { outcome: 'pos_unreachable' }

/**
 * Begins an attempt with a card. The card is stored sealed until its holder is authenticated. If the bank has
 * a page for that, the card goes back to the browser in a form for the bank and is not stored. Guarantee:
 * - No bank is asked yet. No attempt begins while a bank is asked for this payment or after the payment
 * ended.
 * - An attempt that still waits for authentication is abandoned for the new one.
 * - A submission begins one attempt, however often it arrives, and gets the same answer while that attempt
 * waits for its payer.
 * - The payer becomes a customer together with the attempt, or not at all.
 */
export async function submitCard(
  services: Services,
  merchant: Merchant,
  target: { paymentId: number; justRead?: CheckoutContext },
  submission: CardSubmission,
): Promise<CardSubmissionResult> {
  const ownedId = { merchantId: merchant.id, id: target.paymentId }
  const checkoutContext =
    target.justRead ?? (await checkoutContextOf(services, ownedId, services.clock.now()))
  if (!checkoutContext) throw new Error('a card is submitted to a payment that is there')
  const { payment, poses, hourKey } = checkoutContext
  if (merchant.state !== 'active') return { outcome: 'merchant_suspended' }
  const existing = await attemptOfSubmission(services, payment, submission)
  if (existing) return repeated(services, merchant, existing, { ...submission, poses })
  const state = stateFor(payment, services.clock.now())
  if (state !== 'open') return { outcome: 'not_open', state }
  const [fingerprint] = fingerprintsOf(services, submission.card.pan)
  const { payerAddress } = submission
  const { plans, card } = await offerFor(services, merchant, checkoutContext, submission.card)
  if (plans.length === 0) return { outcome: 'nothing_offered' }
  const plan = chosenPlan(plans, submission)
  if (!plan) return { outcome: 'offer_changed' }
  // Only valid submissions count, so that nobody can block another person's card with invalid ones.
  const limit = merchant.live
    ? await rateLimitAttempt(services, { address: payerAddress, fingerprint })
    : undefined
  if (limit) return { outcome: 'limited', retryAfterS: limit.retryAfterS }
  const bank = bankOf(services, merchant, poses, plan.pos.id)
  if (!bank) return { outcome: 'pos_unreachable' }
  const { authentication } = bank
  const { masked: mask } = submission.card.pan
  const instrument: Instrument = { kind: 'card', fingerprint, mask, brand: card?.brand ?? null }
  const beginning = { ...submission, authentication, poses, hourKey, plan, instrument }
  return beginOnce(services, merchant, payment, beginning)
}

function bankOf(
  services: Services,
  merchant: Merchant,
  poses: readonly PricedSealedPos[],
  posId: number,
): Bank | undefined {
  const ready = poses.find(({ pos }) => pos.id === posId)
  const bank = openSealedPos(services, merchant, ready?.sealed)
  if (typeof bank !== 'string') return bank
  services.log.warn({ pos: posId, why: bank }, 'a POS is not usable; the attempt does not begin')
  return undefined
}

/** Attempt that the same submission has already begun. A payment without attempts needs no query. */
async function attemptOfSubmission(
  { sql }: Pick<Services, 'sql'>,
  payment: Payment,
  { name }: CardSubmission,
): Promise<AttemptWithPayment | undefined> {
  if (name === null || payment.attemptCount === 0) return undefined
  return attemptWithPaymentBySubmission(sql, payment, name)
}

/**
 * Answers a repeated submission whose first answer was lost. It continues its attempt if card and price are
 * the same and the payer is not authenticated yet; otherwise it returns the payment's state.
 */
async function repeated(
  services: Services,
  merchant: Merchant,
  { payment, attempt }: AttemptWithPayment,
  submission: CardSubmission & Pick<CheckoutContext, 'poses'>,
): Promise<CardSubmissionResult> {
  const isWaiting =
    payment.state === 'authenticating' &&
    payment.attemptId === attempt.id &&
    services.clock.now().getTime() < payment.expiresAt.getTime()
  const fingerprints = fingerprintsOf(services, submission.card.pan)
  const isSameCard = fingerprints.some((fingerprint) => fingerprint.equals(attempt.instrument.fingerprint))
  // A payer is charged only the amount that was shown.
  const isSamePrice =
    submission.installment === attempt.installment && submission.chargedMinor === attempt.chargedMinor
  if (!isWaiting || !isSameCard || !isSamePrice) return { outcome: 'not_open', state: payment.state }
  const bank = bankOf(services, merchant, submission.poses, attempt.posId)
  if (!bank) return { outcome: 'pos_unreachable' }
  const mode = authenticationModeOf(services, attempt, { ...submission, authentication: bank.authentication })
  if (mode.by === 'bank_page') await traceForm(services, attempt, mode.form)
  return { outcome: 'begun', payment, attempt, mode }
}

/** A submission with the data of its new attempt. */
interface Beginning
  extends CardSubmission,
    Pick<Bank, 'authentication'>,
    Pick<CheckoutContext, 'poses' | 'hourKey'> {
  plan: Plan
  instrument: Instrument
}

/**
 * Begins the attempt unless another submission came first; a second click of the same payer continues that
 * attempt. A concurrent change that only abandoned an attempt or changed the customer leads to a retry.
 */
async function beginOnce(
  services: Services,
  merchant: Merchant,
  seen: Payment,
  beginning: Beginning,
): Promise<CardSubmissionResult> {
  let payment = seen
  const notOpen = (): CardSubmissionResult => ({ outcome: 'not_open', state: payment.state })
  return retryOnConflict(async () => {
    const free = await freed(services, merchant, payment)
    const now = free && (await begin(services, merchant, free, beginning))
    if (now) return now
    payment = (await paymentById(services.sql, merchant.id, seen.id)) ?? seen
    const before = await attemptOfSubmission(services, payment, beginning)
    if (before) return repeated(services, merchant, before, beginning)
    return payment.state === 'open' ? conflictSentinel : notOpen()
  }, notOpen)
}

/**
 * State for a new card: `open` if a card is accepted. A payment past its expiry counts as expired, even if
 * that is not processed yet.
 */
function stateFor({ state, attemptCount, expiresAt }: Payment, now: Date): PaymentState {
  if (state !== 'open' && state !== 'authenticating') return state
  if (now.getTime() >= expiresAt.getTime()) return 'expired'
  // The last allowed attempt is not abandoned, because no new one could begin.
  return attemptCount < maxAttempts ? 'open' : state
}

/** The payment after its waiting attempt is abandoned; undefined if that was too late. */
async function freed(services: Services, merchant: Merchant, payment: Payment): Promise<Payment | undefined> {
  if (payment.state === 'open') return payment
  const given = await abandonOrDeclineAttempt(services, merchant, {
    id: payment.attemptId ?? 0,
    code: 'superseded',
  })
  return given?.payment.state === 'open' ? given.payment : undefined
}

/** Undefined if a concurrent change came first; then nothing was written. */
async function begin(
  services: Services,
  merchant: Merchant,
  payment: Payment,
  beginning: Beginning,
): Promise<CardSubmissionResult | undefined> {
  const { authentication, card, hourKey } = beginning
  const id = await services.ids.next()
  const reference = newReference(id, services.random)
  const draft = newAttempt(payment, beginning)
  const attempt: Attempt = { ...draft, id, reference, beganAt: services.clock.now() }
  const cardOwner = { merchantId: merchant.id, attemptId: attempt.id }
  // Made before any write: a connector that fails to make a form must not cost an attempt.
  const mode = authenticationModeOf(services, attempt, beginning)
  const customer = pageAsksForCustomer(payment) ? await customerFor(services, payment, beginning) : undefined
  const isOurs = authentication.by === 'three_ds_server'
  const sealedCard = isOurs ? await sealCard(services, cardOwner, card, hourKey) : undefined
  const extraWrite = isOurs ? await beginning.extraWrite?.(attempt, authentication) : undefined
  const result = await applyTransition(services, merchant, {
    before: { payment },
    payment: {
      ...payment,
      state: 'authenticating',
      attemptCount: attempt.number,
      attemptId: attempt.id,
      viewedAt: payment.viewedAt ?? attempt.beganAt,
      ...(customer && { customerId: customer.id, customerByPage: true }),
    },
    attempt,
    customer: customer?.change,
    // Without the bank's own page, no bank or directory server knows of the attempt before a later write that waits.
    commitsAsynchronously: isOurs,
    ...(sealedCard && { sealedCard: { ...sealedCard, attemptId: attempt.id } }),
    ...(extraWrite && { extraWrites: [extraWrite.part] }),
  })
  if (!result) return undefined
  extraWrite?.afterWrite()
  if (mode.by === 'bank_page') await traceForm(services, attempt, mode.form)
  return { outcome: 'begun', payment: result.after.payment, attempt, mode }
}

function customerFor(services: Services, payment: Payment, { payer }: CardSubmission) {
  if (!payer) throw new Error('who pays is asked for before the card is taken')
  return customerOfPayer(services, payment, payer)
}

/** Authentication of an attempt; with the form if the bank has a page. */
function authenticationModeOf(
  services: Services,
  attempt: Attempt,
  { authentication, card, language, page }: CardSubmission & Pick<Bank, 'authentication'>,
): AuthenticationStart {
  if (authentication.by === 'three_ds_server') return { by: 'three_ds_server', authentication }
  const { id, reference, chargedMinor, currency, installment, preAuth } = attempt
  const returnToken = sealReturnToken(services, 'return', { attemptId: id, page })
  const returnUrl = `${services.config.pageUrl}/return/${returnToken}`
  const terms = { reference, amountMinor: chargedMinor, currency, installment, preAuth, returnUrl, language }
  return { by: 'bank_page', form: authentication.form(terms, card), formHost: authentication.formHost }
}

/** Records the form without the card. */
function traceForm(services: Services, attempt: Attempt, { action, trace }: BankForm): Promise<void> {
  const { merchantId, paymentId, id: attemptId } = attempt
  const subject = { merchantId, paymentId, attemptId }
  return recordTrace(services, {
    ...subject,
    peer: 'browser',
    direction: 'sent',
    kind: 'form',
    body: { action, ...trace },
  })
}

function offerFor(
  services: Services,
  merchant: Merchant,
  { payment: { amountMinor, currency }, poses }: CheckoutContext,
  { pan }: PaymentCard,
): ReturnType<typeof makeOfferFromPoses> {
  return makeOfferFromPoses(services, { merchant, bin: pan.bin, amountMinor, currency }, poses)
}

function chosenPlan(plans: readonly Plan[], { installment, chargedMinor }: CardSubmission): Plan | undefined {
  return plans.find((plan) => plan.installment === installment && plan.chargedMinor === chargedMinor)
}

function newAttempt(
  payment: Payment,
  { name, payerAddress, plan, instrument }: Beginning,
): Omit<Attempt, 'id' | 'reference' | 'beganAt'> {
  return {
    ...attempts.nulls,
    merchantId: payment.merchantId,
    paymentId: payment.id,
    number: payment.attemptCount + 1,
    state: 'authenticating',
    version: 1,
    posId: plan.pos.id,
    connector: plan.pos.connector,
    preAuth: payment.preAuth,
    currency: payment.currency,
    chargedMinor: plan.chargedMinor,
    commissionMinor: plan.commissionMinor,
    commissionId: plan.commission.id,
    installment: plan.installment,
    reason: plan.reason,
    instrument,
    payerAddress,
    submission: name,
    tries: 0,
  }
}
