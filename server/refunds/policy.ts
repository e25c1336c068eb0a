import type { Merchant } from '../merchants/index.ts'

/** Settings of a merchant's refund review. */
export interface RefundPolicy {
  /** Automatic: the rules decide after a delay. Manual: an operator decides. */
  policy: 'automatic' | 'manual'
  delaySeconds: number
  /** Result of a rule violation: manual review, or rejection. */
  onViolation: 'review' | 'reject'
  /** Maximum age of a payment. */
  maxAgeDays: number
  /** Maximum refund, in multiples of the merchant's average payment of the last 30 days. */
  usualTimes: number
  /** Maximum share of the last 30 days' payments that may be refunded. */
  ratePercent: number
  /** Maximum number of refunds to one card in 30 days. */
  cardTimes: number
}

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
