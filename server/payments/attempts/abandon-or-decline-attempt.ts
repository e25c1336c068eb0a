import type { Merchant } from '../../merchants/index.ts'
import type { Services } from '../../services.ts'
import { attemptWithPaymentOf } from '../records/attempt.sql.ts'
import type { Attempt, AttemptWithPayment } from '../records/attempt.ts'
import type { Payment } from '../records/payment.ts'
import { applyTransition } from '../transitions/transition.ts'
import { isAwaitedByPayment, paymentAfterFailedAttempt } from './decide.ts'

/** Why nobody's answer was waited for. */
export type AbandonCode =
  | 'superseded'
  | 'expired'
  | 'card_lost'
  | 'proof_lost'
  | 'pos_unreachable'
  | 'not_asked'
  | 'other_terms'
  | 'merchant_suspended'

/** Why an attempt ended before a bank was asked for money. */
export type AbandonmentOrDecline =
  | { code: AbandonCode }
  /** The holder was not proven, in the words of who should have proven it. */
  | { code: string; message: string | null; isDeclined: true }

/**
 * Ends an attempt whose payer was not proven, or that was given up, and erases its card. Guarantee: only before a bank
 * is asked; after that its answer decides. Answers the state then, or undefined if it was too late.
 */
export async function abandonOrDeclineAttempt(
  services: Services,
  merchant: Merchant,
  { id, ...reason }: { id: number } & AbandonmentOrDecline,
): Promise<AttemptWithPayment | undefined> {
  const context = await attemptWithPaymentOf(services.sql, { merchantId: merchant.id, id })
  if (context?.attempt.state !== 'authenticating') return undefined
  return endAttemptBeforeAuthorization(services, merchant, context, reason)
}

/** What the bank's side said about the holder is what it said last about the payment. */
function paymentAfter(payment: Payment, reason: AbandonmentOrDecline, now: Date): Payment {
  const answer = 'isDeclined' in reason ? { code: reason.code, message: reason.message } : {}
  return { ...paymentAfterFailedAttempt(payment, now), ...answer }
}

/** The same of one that was just read. */
export async function endAttemptBeforeAuthorization(
  services: Pick<Services, 'sql' | 'clock' | 'ids' | 'metrics'>,
  merchant: Merchant,
  context: AttemptWithPayment,
  reason: AbandonmentOrDecline,
): Promise<AttemptWithPayment | undefined> {
  const { payment, attempt } = context
  const now = services.clock.now()
  const isDeclined = 'isDeclined' in reason
  const ended: Attempt = {
    ...attempt,
    state: isDeclined ? 'declined' : 'abandoned',
    endedAt: now,
    dueAt: null,
    code: reason.code,
    message: isDeclined ? reason.message : null,
    declineReason: isDeclined ? 'authentication_failed' : null,
  }
  const result = await applyTransition(services, merchant, {
    before: context,
    attempt: ended,
    payment: isAwaitedByPayment(context) ? paymentAfter(payment, reason, now) : undefined,
    cardToErase: attempt.id,
  })
  return result && { payment: result.payment, attempt: result.attempt ?? ended }
}
