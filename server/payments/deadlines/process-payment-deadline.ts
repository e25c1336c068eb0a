import type { OwnedId } from '../../database/owned-id.ts'
import type { Merchant } from '../../merchants/index.ts'
import { merchantById } from '../../merchants/index.ts'
import type { Services } from '../../services.ts'
import { endAttemptBeforeAuthorization } from '../attempts/abandon-or-decline-attempt.ts'
import { resolvePreAuthAtDeadline } from '../holds/resolve-pre-auth-at-deadline.ts'
import { attemptWithPaymentOf } from '../records/attempt.sql.ts'
import { paymentById } from '../records/payment.sql.ts'
import { applyTransition } from '../transitions/transition.ts'

/**
 * Ends a payment whose page has expired unpaid, or resolves a pre-authorization at its deadline. Guarantee:
 * never while a bank is being asked, and only once despite concurrent calls. Returns true if it did so.
 */
export async function processPaymentDeadline(services: Services, ownedId: OwnedId): Promise<boolean> {
  const payment = await paymentById(services.sql, ownedId.merchantId, ownedId.id)
  const now = services.clock.now()
  const dueAt = payment?.state === 'held' ? payment.dueAt : payment?.expiresAt
  if (!payment || !dueAt || now.getTime() < dueAt.getTime()) return false
  const merchant = await merchantById(services.sql, ownedId.merchantId)
  if (!merchant) throw new Error('a payment belongs to a merchant')
  if (payment.state === 'held') return resolvePreAuthAtDeadline(services, merchant, payment)
  if (payment.state === 'authenticating') return expireAttempt(services, merchant, payment.attemptId ?? 0)
  if (payment.state !== 'open') return false
  const after = { ...payment, state: 'expired' as const, endedAt: now, dueAt: null }
  return (await applyTransition(services, merchant, { before: { payment }, payment: after })) !== undefined
}

/** Ends an attempt whose payer did not return from the bank in time. */
async function expireAttempt(services: Services, merchant: Merchant, id: number): Promise<boolean> {
  const context = await attemptWithPaymentOf(services.sql, { merchantId: merchant.id, id })
  if (!context) throw new Error('a payment waits for an attempt that is not there')
  if (context.attempt.state !== 'authenticating') return false
  return (await endAttemptBeforeAuthorization(services, merchant, context, { code: 'expired' })) !== undefined
}
