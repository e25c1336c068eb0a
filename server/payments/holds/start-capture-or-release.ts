import type { Merchant } from '../../merchants/index.ts'
import type { Services } from '../../services.ts'
import { requireApprovedAttempt } from '../records/attempt.sql.ts'
import { newModification } from '../records/modification.ts'
import { paymentById } from '../records/payment.sql.ts'
import type { Payment } from '../records/payment.ts'
import type { PreAuthResolution } from '../records/states.ts'
import { conflictSentinel, retryOnConflict } from '../transitions/retry-on-conflict.ts'
import { applyTransition } from '../transitions/transition.ts'

/** Result of a request to resolve a pre-authorization. */
export type ResolvePreAuthResult = 'resolved' | 'absent' | 'not_held' | 'already_resolved'

/** Requested resolution, and the requester. */
interface ResolvePreAuthRequest {
  resolution: PreAuthResolution
  by: string
}

/**
 * Starts the capture or release of a hold: it is recorded now, and the job `process due captures and releases`
 * asks the bank (`modificationWork`). `onCaptureOrReleaseOutcome` decides what follows. Guarantee: if several
 * requests arrive at the same time, one succeeds.
 */
export async function startCaptureOrRelease(
  services: Pick<Services, 'sql' | 'clock' | 'ids' | 'metrics' | 'processState'>,
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
  services: Pick<Services, 'sql' | 'clock' | 'ids' | 'metrics' | 'processState'>,
  merchant: Merchant,
  before: Payment,
  { resolution, by }: ResolvePreAuthRequest,
): Promise<boolean> {
  const attempt = await requireApprovedAttempt(services, before)
  const now = services.clock.now()
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
    newModification: newModification(attempt, { id: await services.ids.next(), kind: resolution }, now),
  })
  return result !== undefined
}
