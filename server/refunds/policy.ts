import type { RowOf } from '../../kit/runtime/table.ts'
import { bigint, defineMerchantTable, integer, text, timestamptz } from '../../kit/runtime/table.ts'
import type { Merchant } from '../merchants/index.ts'

export const refundPolicies = defineMerchantTable('refund_policies', {
  merchantId: bigint(),
  /** Automatic: the rules decide after a delay. Manual: an operator decides. */
  policy: text<'automatic' | 'manual'>(),
  delaySeconds: integer(),
  /** Result of a rule violation: manual review, or rejection. */
  onViolation: text<'review' | 'reject'>(),
  /** Maximum age of a payment. */
  maxAgeDays: integer(),
  /** Maximum refund, in multiples of the merchant's average payment of the last 30 days. */
  usualTimes: integer(),
  /** Maximum share of the last 30 days' payments that may be refunded. */
  ratePercent: integer(),
  /** Maximum number of refunds to one card in 30 days. */
  cardTimes: integer(),
  updatedAt: timestamptz(),
})

/** Settings of a merchant's refund review. */
export type RefundPolicy = Omit<RowOf<typeof refundPolicies>, 'merchantId' | 'updatedAt'>

const defaultLimits = {
  onViolation: 'review',
  maxAgeDays: 365,
  usualTimes: 10,
  ratePercent: 20,
  cardTimes: 3,
} as const

/** Policy without settings. For a live merchant an operator decides, because real money is involved. */
export function defaultPolicyFor({ live }: Pick<Merchant, 'live'>): RefundPolicy {
  return live
    ? { policy: 'manual', delaySeconds: 900, ...defaultLimits }
    : { policy: 'automatic', delaySeconds: 2, ...defaultLimits }
}
