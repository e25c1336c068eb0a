import type { Merchant } from '../../merchants/index.ts'
import type { Services } from '../../services.ts'
import { postponePayment } from '../records/payment.sql.ts'
import type { Payment } from '../records/payment.ts'
import { preAuthDeadlineOf } from '../records/payment.ts'
import { startCaptureOrRelease } from './start-capture-or-release.ts'

/** Interval at which a deadline that has no effect yet is checked again. */
const againMs = 60 * 60 * 1000

/**
 * Resolves a pre-authorization at its deadline, by the merchant's current setting. Guarantee:
 * - Not before the deadline at the time of the hold, and not before the current one.
 * - Not at all while the merchant has no deadline.
 * - No capture for a suspended merchant.
 *
 * Returns true if it did so.
 */
export async function resolvePreAuthAtDeadline(
  services: Services,
  merchant: Merchant,
  payment: Payment,
): Promise<boolean> {
  const now = services.clock.now()
  const deadline = preAuthDeadlineOf(payment, merchant)
  const resolution = merchant.atPreAuthDeadline
  const mayNotTake = resolution === 'capture' && merchant.state !== 'active'
  if (!deadline || mayNotTake || deadline > now) {
    const again = new Date(now.getTime() + againMs)
    await postponePayment(services.sql, payment, deadline && deadline > now ? deadline : again)
    return false
  }
  const resolved = await startCaptureOrRelease(services, merchant, payment.id, {
    resolution,
    by: 'deadline',
  })
  return resolved === 'resolved'
}
