import assert from 'node:assert/strict'
import type { Merchant } from '../../server/merchants/index.ts'
import { paymentById } from '../../server/payments/records/payment.sql.ts'
import type { PaymentState } from '../../server/payments/records/states.ts'
import { paymentStateEdges } from '../../server/payments/records/states.ts'
import type { Services } from '../../server/services.ts'

/** A payment in the model. After a kill or a time step the model reads the state that it cannot predict. */
export interface ExpectedPayment {
  id: number
  state: PaymentState
  attempts: number
  attemptId: number
  card: string
  isPreAuth: boolean
  expiresAtMs: number
  amount: number
  refunded: number
  /** The open refund. */
  refund: { id: number; amount: number; isApproved: boolean } | null
  isResolved: boolean
}

/** Expected error code of a refund request; undefined if it must be accepted. */
export function expectedRefundRefusal(
  { state, refund, amount, refunded }: ExpectedPayment,
  requested: number,
): number | undefined {
  if (refund) return 930
  if (state !== 'paid' && state !== 'partly_refunded') return 931
  return requested > amount - refunded ? 901 : undefined
}

/** True if this number of transitions can lead from one state to the other. */
export function isReachable(from: PaymentState, to: PaymentState, transitionCount: number): boolean {
  let reached = new Set([from])
  for (let index = 0; index < transitionCount; index++)
    reached = new Set([
      ...paymentStateEdges.filter((edge) => reached.has(edge.from)).map((edge) => edge.to),
      // Requesting, reviewing or executing a refund is a transition of its payment that can keep the state.
      ...[...reached].filter(
        (state) => state === 'paid' || state === 'partly_refunded' || state === 'refunded',
      ),
    ])
  return reached.has(to)
}

const hourMs = 60 * 60 * 1000

/**
 * Asserts that a hold past the merchant's deadline is resolved, if the deadline was set when it was held and
 * is set now.
 */
export async function assertDeadline(
  { sql, clock }: Services,
  { id: merchantId, preAuthDeadlineHours: hours }: Merchant,
  { id, state }: ExpectedPayment,
): Promise<void> {
  const now = await paymentById(sql, merchantId, id)
  if (state !== 'held' || hours === null || !now?.dueAt) return
  const heldForMs = clock.now().getTime() - (now.endedAt?.getTime() ?? 0)
  assert.ok(heldForMs <= hours * hourMs || now.dueAt > clock.now(), 'it is held beyond its deadline')
}
