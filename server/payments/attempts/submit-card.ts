import { countAttempt, fingerprintsOf, sealCard } from '../../cards/index.ts'
import type { Bank, BankForm, BanksAuthentication, OwnAuthentication } from '../../connectors/index.ts'
import type { PaymentCard } from '../../kit/card.ts'
import type { Language } from '../../kit/locale.ts'
import type { Merchant } from '../../merchants/index.ts'
import type { Plan } from '../../pos/index.ts'
import { makeOffer, openPos } from '../../pos/index.ts'
import type { Services } from '../../services.ts'
import { noteTrace } from '../../traces/index.ts'
import { passageTo } from '../passage.ts'
import type { Payment } from '../payment.ts'
import type { PaymentState } from '../states.ts'
import { mostAttempts } from '../states.ts'
import { abandonAttempt } from './abandon-attempt.ts'
import type { Attempt } from './attempt.ts'
import { newReference } from './attempt.ts'
import { move } from './move.ts'
import { paymentById } from './store.ts'

export interface Submission {
  card: PaymentCard
  installment: number
  /** What the payer was shown as the whole charge. */
  chargedMinor: number
  payerAddress: string
  language: Language
  /** The end of the address of the payment's page, for the way back from a bank. */
  page: string
}

/** How the payer is now proven to be the holder: by our own 3-D Secure, or by taking a form, card and all, to the bank. */
export type Way =
  | { by: 'us'; authentication: OwnAuthentication }
  | { by: 'bank'; form: BankForm; formHost: string }

export type Submitted =
  | { outcome: 'begun'; payment: Payment; attempt: Attempt; way: Way }
  /** It has ended, or a bank is being asked: a card is not taken now. */
  | { outcome: 'not_open'; state: PaymentState }
  | { outcome: 'limited'; retryAfterS: number }
  /** What the payer chose is not to be had any more, or not at that price. */
  | { outcome: 'offer_changed' }
  /** Nobody pays a merchant who may not collect. */
  | { outcome: 'merchant_suspended' }
  /** Our side of the POS is out of order, for which no attempt is spent. */
  | { outcome: 'pos_unreachable' }

/**
 * Begins an attempt to pay with a card. It lies sealed until its holder is proven, or, where the bank has a page for
 * that, goes back to the browser in a form for that bank and is kept nowhere. Guarantee: no bank is asked for anything
 * yet; while one is asked for this payment, or once it has ended, no attempt begins. One that waits for its payer to be
 * proven is given up for the new one.
 */
export async function submitCard(
  services: Services,
  merchant: Merchant,
  whose: { paymentId: number },
  submission: Submission,
): Promise<Submitted> {
  const payment = await paymentById(services.sql, merchant.id, whose.paymentId)
  if (!payment) throw new Error('a card is submitted to a payment that is there')
  if (merchant.state !== 'active') return { outcome: 'merchant_suspended' }
  const state = stateFor(payment, services.clock.now())
  if (state !== 'open') return { outcome: 'not_open', state }
  const [fingerprint] = fingerprintsOf(services, submission.card.pan)
  const { payerAddress } = submission
  const plan = await chosenPlan(services, merchant, payment, submission)
  if (!plan) return { outcome: 'offer_changed' }
  // Only what would be an attempt counts: nobody shuts another's card out by sending nonsense with it.
  const limit = merchant.live
    ? await countAttempt(services, { address: payerAddress, fingerprint })
    : undefined
  if (limit) return { outcome: 'limited', retryAfterS: limit.retryAfterS }
  const bank = await openPos(services, merchant, plan.pos.id)
  if (typeof bank === 'string') {
    services.log.warn({ pos: plan.pos.id, why: bank }, 'a POS cannot be asked')
    return { outcome: 'pos_unreachable' }
  }
  const free = await freed(services, merchant, payment)
  if (!free) return overtaken(services, payment)
  const draft = { ...newAttempt(free, plan, submission), cardFingerprint: fingerprint }
  return begin(services, merchant, free, draft, { ...submission, authentication: bank.authentication })
}

/** Whether a card can be taken now. One whose page has expired counts as expired, noticed or not. */
function stateFor({ state, attemptCount, expiresAt }: Payment, now: Date): PaymentState {
  if (state !== 'open' && state !== 'authenticating') return state
  if (now.getTime() >= expiresAt.getTime()) return 'expired'
  // The last attempt is not given up for one that there cannot be.
  return attemptCount < mostAttempts ? 'open' : state
}

/** The payment with whatever waited for its payer given up; undefined if that was too late. */
async function freed(services: Services, merchant: Merchant, payment: Payment): Promise<Payment | undefined> {
  if (payment.state === 'open') return payment
  const given = await abandonAttempt(services, merchant, { id: payment.attemptId ?? 0, code: 'superseded' })
  return given?.payment.state === 'open' ? given.payment : undefined
}

async function begin(
  services: Services,
  merchant: Merchant,
  payment: Payment,
  draft: Omit<Attempt, 'id' | 'reference' | 'beganAt'>,
  submission: Submission & Pick<Bank, 'authentication'>,
): Promise<Submitted> {
  const { authentication, card } = submission
  const id = await services.ids.next()
  const reference = newReference(id, services.random)
  const attempt: Attempt = { ...draft, id, reference, beganAt: services.clock.now() }
  const whose = { merchantId: merchant.id, attemptId: attempt.id }
  // Made before anything is written: a connector that cannot make a form has a bug, and no attempt is spent on it.
  const way: Way =
    authentication.by === 'us'
      ? { by: 'us', authentication }
      : wayByForm(services, attempt, { ...submission, authentication })
  const seals = authentication.by === 'us' ? await sealCard(services, whose, card) : undefined
  const moved = await move(services, merchant, {
    before: { payment },
    payment: {
      ...payment,
      state: 'authenticating',
      attemptCount: attempt.number,
      attemptId: attempt.id,
      viewedAt: payment.viewedAt ?? attempt.beganAt,
    },
    attempt,
    ...(seals && { seals: { ...seals, attemptId: attempt.id } }),
  })
  if (!moved) return overtaken(services, payment)
  if (way.by === 'bank') await traceForm(services, attempt, way.form)
  return { outcome: 'begun', payment: moved.payment, attempt, way }
}

/** The form for the bank's page. */
function wayByForm(
  services: Services,
  attempt: Attempt,
  { authentication, card, language, page }: Submission & { authentication: BanksAuthentication },
): Way {
  const { id, reference, chargedMinor, currency, installment, preAuth } = attempt
  const passage = passageTo(services, 'return', { attemptId: id, page })
  const returnUrl = `${services.config.pageUrl}/return/${passage}`
  const terms = { reference, amountMinor: chargedMinor, currency, installment, preAuth, returnUrl, language }
  return { by: 'bank', form: authentication.form(terms, card), formHost: authentication.formHost }
}

/** What is kept of a form has no card. */
function traceForm(services: Services, attempt: Attempt, { action, trace }: BankForm): Promise<void> {
  const { merchantId, paymentId, id: attemptId } = attempt
  const whose = { merchantId, paymentId, attemptId }
  return noteTrace(services, {
    ...whose,
    peer: 'browser',
    direction: 'sent',
    kind: 'form',
    body: { action, ...trace },
  })
}

/** Somebody else was quicker, who may be the same payer with a second click: that one goes on. */
async function overtaken({ sql }: Services, { merchantId, id, state }: Payment): Promise<Submitted> {
  const now = await paymentById(sql, merchantId, id)
  return { outcome: 'not_open', state: now?.state ?? state }
}

async function chosenPlan(
  services: Services,
  merchant: Merchant,
  { amountMinor, currency }: Payment,
  { card, installment, chargedMinor }: Submission,
): Promise<Plan | undefined> {
  const { plans } = await makeOffer(services, { merchant, bin: card.pan.bin, amountMinor, currency })
  return plans.find((plan) => plan.installment === installment && plan.chargedMinor === chargedMinor)
}

function newAttempt(
  payment: Payment,
  plan: Plan,
  { card, payerAddress }: Submission,
): Omit<Attempt, 'id' | 'reference' | 'cardFingerprint' | 'beganAt'> {
  return {
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
    cardMasked: card.pan.masked,
    payerAddress,
    askedAt: null,
    endedAt: null,
    code: null,
    message: null,
    declineReason: null,
    bankReferences: null,
    dueAt: null,
    tries: 0,
    needsPersonAt: null,
  }
}
