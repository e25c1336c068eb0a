import type { OwnedId } from '../database/owned-id.ts'
import type { Merchant } from '../merchants/index.ts'
import type { DecisionEffects } from '../payments/for-refunds.ts'
import {
  amountChargedAtBank,
  applyTransition,
  conflictSentinel,
  isOpenSurplusRefund,
  markDifferencesUndecidedPart,
  modificationsOfPayment,
  newModification,
  paymentById,
  requireApprovedAttempt,
  retryOnConflict,
  totalRefundedByBank,
} from '../payments/for-refunds.ts'
import type { Payment } from '../payments/index.ts'
import type { Services } from '../services.ts'
import type { Refund } from './refund.ts'
import { refundTransitionEventKind, shownRefund } from './refund.ts'
import { incrementRefundCounter } from './refund-metrics.ts'
import type { RuleViolation } from './review-rules.ts'
import { refundById, updateRefundPart } from './store.ts'

/** Decision about a refund: verdict, decider and reason. */
export interface RefundDecision {
  verdict: 'approved' | 'rejected'
  by: string
  reason: string
  /** Rule violations, if the rules ran. */
  violations?: RuleViolation[]
}

type Needs = Pick<Services, 'sql' | 'clock' | 'ids' | 'metrics' | 'processState'>

/**
 * Ends the review of a refund; an approved refund becomes a modification. Guarantee: if several callers
 * decide at the same time, one succeeds; the decider, time and reason are stored. Returns undefined if the
 * refund is no longer under review.
 */
export async function decideRefund(
  services: Needs,
  merchant: Merchant,
  ownedId: OwnedId,
  decision: RefundDecision,
): Promise<Refund | undefined> {
  return retryOnConflict(async () => {
    // Read the payment first: every refund step bumps its version, so a later step makes this write fail.
    const payment = await paymentOf(services, ownedId)
    const refund = await refundById(services.sql, ownedId)
    if (!payment || refund?.state !== 'under_review') return undefined
    const decided = withDecision(refund, decision, services.clock.now())
    const effects =
      decision.verdict === 'approved'
        ? { newModification: await newRefundModification(services, payment, decided), payment }
        : rejectionEffects(merchant, payment, decided)
    const applied = await applyTransition(services, merchant, {
      before: { payment },
      ...effects,
      extraWrites: [
        updateRefundPart(decided),
        ...(decided.state === 'rejected'
          ? [markDifferencesUndecidedPart(payment, services.clock.now())]
          : []),
      ],
    })
    if (!applied) return conflictSentinel
    incrementRefundCounter(services, decided)
    return decided
  })
}

async function paymentOf({ sql }: Needs, ownedId: OwnedId): Promise<Payment | undefined> {
  const refund = await refundById(sql, ownedId)
  return refund && paymentById(sql, ownedId.merchantId, refund.paymentId)
}

function withDecision(
  refund: Refund,
  { verdict, by, reason, violations }: RefundDecision,
  now: Date,
): Refund {
  return {
    ...refund,
    state: verdict,
    dueAt: null,
    decidedBy: by,
    decidedAt: now,
    reason,
    violations: violations ?? refund.violations,
    endedAt: verdict === 'rejected' ? now : null,
  }
}

function rejectionEffects(merchant: Merchant, payment: Payment, refund: Refund): DecisionEffects {
  return {
    payment: { ...payment, refundId: null },
    eventToEmit: {
      kind: refundTransitionEventKind('under_review', 'rejected'),
      extraData: { refund: shownRefund(refund, merchant) },
    },
  }
}

/** The last refund returns the whole amount left at the bank, even if our ledger has a different amount. */
async function newRefundModification(services: Needs, payment: Payment, refund: Refund) {
  const attempt = await requireApprovedAttempt(services, payment)
  const modifications = await modificationsOfPayment(services.sql, payment)
  if (modifications.some(isOpenSurplusRefund))
    throw new Error('The bank is refunding a surplus of this payment. Try again when it has done so.')
  const priorRefundedMinor = totalRefundedByBank(modifications)
  const leftMinor = amountChargedAtBank(attempt) - priorRefundedMinor
  const isLast = payment.refundedMinor + refund.amountMinor === payment.amountMinor
  const draft = {
    id: await services.ids.next(),
    kind: 'refund' as const,
    refundId: refund.id,
    amountMinor: isLast && leftMinor > 0 ? leftMinor : refund.chargedMinor,
    priorRefundedMinor,
  }
  return newModification(attempt, draft, services.clock.now())
}
