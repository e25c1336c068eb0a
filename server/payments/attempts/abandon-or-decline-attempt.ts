import type { Merchant } from '../../merchants/index.ts'
import type { Services } from '../../services.ts'
import { attemptWithPaymentOf } from '../records/attempt.sql.ts'
import type { Attempt, AttemptWithPayment } from '../records/attempt.ts'
import type { Payment } from '../records/payment.ts'
import { applyTransition } from '../transitions/transition.ts'
import { isAwaitedByPayment, paymentAfterFailedAttempt } from './decide.ts'

/** Reason for ending an attempt without any bank answer. */
export type AbandonCode =
  | 'superseded'
  | 'expired'
  | 'card_lost'
  | 'proof_lost'
  | 'pos_unreachable'
  | 'not_asked'
  | 'other_terms'
  | 'merchant_suspended'

/** Reason for ending an attempt before the bank was asked to authorize. */
export type AbandonmentOrDecline =
  | { code: AbandonCode }
  /** Failed cardholder authentication, with the code and message of the authenticating party. */
  | { code: string; message: string | null; isDeclined: true }

/**
 * Ends an attempt that failed authentication or was abandoned, and erases its card. Guarantee: only before
 * the bank is asked; afterwards the bank's answer decides. Returns the new state, or undefined if it was too
 * late.
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

/** The answer of a failed authentication becomes the last answer of the payment. */
function paymentAfter(payment: Payment, reason: AbandonmentOrDecline, now: Date): Payment {
  const answer = 'isDeclined' in reason ? { code: reason.code, message: reason.message } : {}
  return { ...paymentAfterFailedAttempt(payment, now), ...answer }
}

/** Like `abandonOrDeclineAttempt`, for an attempt that was just read. */
export async function endAttemptBeforeAuthorization(
  services: Pick<Services, 'sql' | 'clock' | 'ids' | 'metrics' | 'processState'>,
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
  return result?.after
}
