import type { Merchant } from '../../merchants/index.ts'
import type { Services } from '../../services.ts'
import type { Payment } from '../payment.ts'
import { applyTransition } from '../transitions/transition.ts'
import type { Attempt } from './attempt.ts'
import type { AttemptContext } from './decide.ts'
import { isAwaited, refused } from './decide.ts'
import { attemptContextOf } from './store.ts'

/** Why nobody's answer was waited for. */
export type Unasked =
  | 'superseded'
  | 'expired'
  | 'card_lost'
  | 'proof_lost'
  | 'pos_unreachable'
  | 'not_asked'
  | 'other_terms'
  | 'merchant_suspended'

/** Why an attempt ended before a bank was asked for money. */
export type AbandonReason =
  | { code: Unasked }
  /** The holder was not proven, in the words of who should have proven it. */
  | { code: string; message: string | null; isDeclined: true }

/**
 * Ends an attempt whose payer was not proven, or that was given up, and erases its card. Guarantee: only before a bank
 * is asked; after that its answer decides. Answers how things stand then, or undefined if it was too late.
 */
export async function abandonAttempt(
  services: Services,
  merchant: Merchant,
  { id, ...ending }: { id: number } & AbandonReason,
): Promise<AttemptContext | undefined> {
  const context = await attemptContextOf(services.sql, { merchantId: merchant.id, id })
  if (context?.attempt.state !== 'authenticating') return undefined
  return endUnasked(services, merchant, context, ending)
}

/** What the bank's side said about the holder is what it said last about the payment. */
function paymentAfter(payment: Payment, ending: AbandonReason, now: Date): Payment {
  const answer = 'isDeclined' in ending ? { code: ending.code, message: ending.message } : {}
  return { ...refused(payment, now), ...answer }
}

/** The same of one that was just read. */
export async function endUnasked(
  services: Pick<Services, 'sql' | 'clock' | 'ids' | 'metrics'>,
  merchant: Merchant,
  context: AttemptContext,
  ending: AbandonReason,
): Promise<AttemptContext | undefined> {
  const { payment, attempt } = context
  const now = services.clock.now()
  const isDeclined = 'isDeclined' in ending
  const ended: Attempt = {
    ...attempt,
    state: isDeclined ? 'declined' : 'abandoned',
    endedAt: now,
    dueAt: null,
    code: ending.code,
    message: isDeclined ? ending.message : null,
    declineReason: isDeclined ? 'authentication_failed' : null,
  }
  const result = await applyTransition(services, merchant, {
    before: context,
    attempt: ended,
    payment: isAwaited(context) ? paymentAfter(payment, ending, now) : undefined,
    cardToErase: attempt.id,
  })
  return result && { payment: result.payment, attempt: result.attempt ?? ended }
}
