import type { Merchant } from '../../merchants/index.ts'
import type { Services } from '../../services.ts'
import { postponePayment } from '../records/payment.sql.ts'
import type { Payment } from '../records/payment.ts'
import { preAuthDeadlineOf } from '../records/payment.ts'
import { startCaptureOrRelease } from './start-capture-or-release.ts'

/** How often a deadline is looked at again that must not have its effect now. */
const againMs = 60 * 60 * 1000

/**
 * Resolves a pre-authorization whose deadline has come, as its merchant has it set by then. Guarantee: not before the
 * deadline that it had when it was held, not before the one that is set now, and not at all where there is none any more;
 * and nothing is taken for a merchant who is suspended. Says whether it did.
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
