import type { Merchant } from '../../merchants/index.ts'
import type { Services } from '../../services.ts'
import { requireApprovedAttempt } from '../records/attempt.sql.ts'
import { newModification } from '../records/modification.ts'
import { paymentById } from '../records/payment.sql.ts'
import type { Payment } from '../records/payment.ts'
import type { PreAuthResolution } from '../records/states.ts'
import { conflictSentinel, retryOnConflict } from '../transitions/retry-on-conflict.ts'
import { applyTransition } from '../transitions/transition.ts'

/** What became of the wish to resolve a pre-authorization. */
export type ResolvePreAuthResult = 'resolved' | 'absent' | 'not_held' | 'already_resolved'

/** How it is to be resolved, and by whom. */
export interface ResolvePreAuthRequest {
  resolution: PreAuthResolution
  by: string
}

/**
 * Has what is held for a payment taken or let go: that is written down now, and the bank is asked by whoever processes
 * modifications. Guarantee: of all who want to resolve a payment at once, one does.
 */
export async function startCaptureOrRelease(
  services: Pick<Services, 'sql' | 'clock' | 'ids' | 'metrics'>,
  merchant: Merchant,
  paymentId: number,
  request: ResolvePreAuthRequest,
): Promise<ResolvePreAuthResult> {
  return retryOnConflict<ResolvePreAuthResult>(async () => {
    const payment = await paymentById(services.sql, merchant.id, paymentId)
    if (!payment) return 'absent'
    if (payment.resolvedAt) return 'already_resolved'
    if (payment.state !== 'held') return 'not_held'
    return (await begin(services, merchant, payment, request)) ? 'resolved' : conflictSentinel
  })
}

async function begin(
  services: Pick<Services, 'sql' | 'clock' | 'ids' | 'metrics'>,
  merchant: Merchant,
  before: Payment,
  { resolution, by }: ResolvePreAuthRequest,
): Promise<boolean> {
  const attempt = await requireApprovedAttempt(services, before)
  const now = services.clock.now()
  const id = await services.ids.next()
  const draft = {
    id,
    kind: resolution,
    refundId: null,
    amountMinor: attempt.chargedMinor,
    priorRefundedMinor: 0,
  }
  const result = await applyTransition(services, merchant, {
    before: { payment: before },
    payment: {
      ...before,
      state: resolution === 'capture' ? 'capturing' : 'releasing',
      dueAt: null,
      resolution,
      resolvedBy: by,
      resolvedAt: now,
    },
    newModification: newModification(attempt, draft, now),
  })
  return result !== undefined
}
