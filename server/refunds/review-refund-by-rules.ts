import type { OwnedId } from '../database/owned-id.ts'
import { recentVolume } from '../ledger/index.ts'
import type { Merchant } from '../merchants/index.ts'
import { merchantById } from '../merchants/index.ts'
import {
  isOpenSurplusRefund,
  modificationsOfPayment,
  paymentById,
  requireApprovedAttempt,
} from '../payments/for-refunds.ts'
import type { Payment } from '../payments/index.ts'
import type { Services } from '../services.ts'
import type { RefundDecision } from './decide-refund.ts'
import { decideRefund } from './decide-refund.ts'
import type { RefundPolicy } from './policy.ts'
import type { Refund } from './refund.ts'
import type { RefundFacts, RuleViolation } from './review-rules.ts'
import { ruleViolationsOf, violationMessage } from './review-rules.ts'
import {
  countRefundsToInstrument,
  inFlightRefundTotalOfMerchant,
  leaveForManualReview,
  lockPolicy,
  policyOrDefault,
  postponeRefundReview,
  refundById,
} from './store.ts'

const dayMs = 24 * 60 * 60 * 1000

/** Period that the rules look back. */
const recentDays = 30

/** Delay of the review while the bank refunds a surplus of the payment. */
const returnPauseMs = 10 * 60_000

/** Decider of a decision by rules. */
const automatic = 'rules'

/**
 * Reviews a due refund by rules. Guarantees: the violations are stored, whatever the decision; a live
 * merchant's refunds are decided one after the other across all instances, so each counts for the next and
 * none passes a limit unnoticed. Returns true if the refund was decided or left for manual review.
 */
export async function reviewRefundByRules(services: Services, ownedId: OwnedId): Promise<boolean> {
  const merchant = await merchantById(services.sql, ownedId.merchantId)
  if (!merchant) throw new Error('the merchant of a refund does not exist')
  // No lock for a test merchant: its refunds pass in any case.
  if (!merchant.live) return review(services, merchant, ownedId)
  return services.sql.transaction(async (sql) => {
    await lockPolicy(sql, merchant.id)
    return review({ ...services, sql }, merchant, ownedId)
  })
}

async function review(services: Services, merchant: Merchant, ownedId: OwnedId): Promise<boolean> {
  const { sql, clock } = services
  const refund = await refundById(sql, ownedId)
  const dueAtMs = refund?.dueAt?.getTime() ?? Number.POSITIVE_INFINITY
  if (refund?.state !== 'under_review' || dueAtMs > clock.now().getTime()) return false
  // The bank is asked for one modification at a time.
  if (await isSurplusReturned(services, refund)) {
    await postponeRefundReview(sql, ownedId, new Date(clock.now().getTime() + returnPauseMs))
    return false
  }
  const policy = await policyOrDefault(sql, merchant)
  const violations = ruleViolationsOf(await factsOf(services, refund), policy)
  const verdict = verdictOn(violations, policy, merchant)
  if (verdict)
    return (await decideRefund(services, merchant, ownedId, { ...verdict, violations })) !== undefined
  await leaveForManualReview(sql, { ...refund, violations })
  return true
}

/** True if a refund of a surplus of the payment is open at the bank. */
async function isSurplusReturned({ sql }: Pick<Services, 'sql'>, refund: Refund): Promise<boolean> {
  const modifications = await modificationsOfPayment(sql, {
    merchantId: refund.merchantId,
    id: refund.paymentId,
  })
  return modifications.some(isOpenSurplusRefund)
}

/** Decision of the rules; undefined if an operator must decide. */
function verdictOn(
  violations: readonly RuleViolation[],
  { onViolation, policy }: RefundPolicy,
  { live, state, language }: Pick<Merchant, 'live' | 'state' | 'language'>,
): Omit<RefundDecision, 'violations'> | undefined {
  const passes = (reason: string) => ({ verdict: 'approved' as const, by: automatic, reason })
  // The policy has become manual since the request.
  if (policy === 'manual') return undefined
  if (!live) return passes('The refunds of a test merchant always pass.')
  // The rules do not know the reason for a suspension.
  if (state !== 'active') return undefined
  if (violations.length === 0) return passes('No rule is violated.')
  const reason = violations.map((violation) => violationMessage(violation)[language]).join(' ')
  return onViolation === 'reject' ? { verdict: 'rejected', by: automatic, reason } : undefined
}

async function factsOf(services: Services, refund: Refund): Promise<RefundFacts> {
  const { sql, clock } = services
  const { merchantId, paymentId, currency, chargedMinor } = refund
  const payment = await paymentById(sql, merchantId, paymentId)
  if (!payment) throw new Error('the payment of a refund does not exist')
  const attempt = await requireApprovedAttempt(services, payment)
  const now = clock.now()
  const since = new Date(now.getTime() - recentDays * dayMs)
  const { takenMinor, payments, refundedMinor } = await recentVolume(sql, { merchantId, currency, since })
  return {
    ageDays: ageOf(payment, now),
    chargedMinor,
    takenMinor,
    payments,
    refundedWithThisMinor: refundedMinor + (await inFlightRefundTotalOfMerchant(sql, refund)) + chargedMinor,
    cardTimes: await countRefundsToInstrument(sql, refund, attempt.instrument.fingerprint, since),
  }
}

function ageOf({ endedAt, createdAt }: Payment, now: Date): number {
  return (now.getTime() - (endedAt ?? createdAt).getTime()) / dayMs
}
