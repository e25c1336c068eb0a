import { countAttempt, fingerprintsOf, sealCard } from '../../cards/index.ts'
import type { PaymentCard } from '../../kit/card.ts'
import type { Merchant } from '../../merchants/index.ts'
import type { Plan } from '../../pos/index.ts'
import { makeOffer } from '../../pos/index.ts'
import type { Services } from '../../services.ts'
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
}

export type Submitted =
  | { outcome: 'begun'; payment: Payment; attempt: Attempt }
  /** It has ended, or a bank is being asked: a card is not taken now. */
  | { outcome: 'not_open'; state: PaymentState }
  | { outcome: 'limited'; retryAfterS: number }
  /** What the payer chose is not to be had any more, or not at that price. */
  | { outcome: 'offer_changed' }

/**
 * Begins an attempt to pay with a card, which lies sealed until its holder is proven. Guarantee: no bank is asked for
 * anything yet; while one is asked for this payment, or once it has ended, no attempt begins. One that waits for its
 * payer to be proven is given up for the new one.
 */
export async function submitCard(
  services: Services,
  merchant: Merchant,
  whose: { paymentId: number },
  submission: Submission,
): Promise<Submitted> {
  const payment = await paymentById(services.sql, merchant.id, whose.paymentId)
  if (!payment) throw new Error('a card is submitted to a payment that is there')
  const state = stateFor(payment, services.clock.now())
  if (state !== 'open') return { outcome: 'not_open', state }
  const [fingerprint] = fingerprintsOf(services, submission.card.pan)
  const { payerAddress } = submission
  const limit = merchant.live
    ? await countAttempt(services, { address: payerAddress, fingerprint })
    : undefined
  if (limit) return { outcome: 'limited', retryAfterS: limit.retryAfterS }
  const plan = await chosenPlan(services, merchant, payment, submission)
  if (!plan) return { outcome: 'offer_changed' }
  const free = await freed(services, merchant, payment)
  return free
    ? begin(
        services,
        merchant,
        free,
        { ...newAttempt(free, plan, submission), cardFingerprint: fingerprint },
        submission.card,
      )
    : overtaken(services, payment)
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
  card: PaymentCard,
): Promise<Submitted> {
  const id = await services.ids.next()
  const reference = newReference(id, services.random)
  const attempt: Attempt = { ...draft, id, reference, beganAt: services.clock.now() }
  const seals = await sealCard(services, { merchantId: merchant.id, attemptId: attempt.id }, card)
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
    seals: { ...seals, attemptId: attempt.id },
  })
  return moved ? { outcome: 'begun', payment: moved.payment, attempt } : overtaken(services, payment)
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
