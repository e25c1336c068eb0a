import type { Merchant } from '../merchants/index.ts'

/** How a merchant's refunds are reviewed. */
export interface RefundPolicy {
  /** By rules, after a delay; or by a person. */
  policy: 'automatic' | 'manual'
  delaySeconds: number
  /** What becomes of a refund that a rule objects to: a person looks at it, or it is rejected. */
  onViolation: 'review' | 'reject'
  /** How old a payment may be. */
  maxAgeDays: number
  /** How many times the usual payment of the merchant a refund may be. */
  usualTimes: number
  /** How much of what was taken lately may go back. */
  ratePercent: number
  /** How often money may go back to one card lately. */
  cardTimes: number
}

const defaultLimits = {
  onViolation: 'review',
  maxAgeDays: 365,
  usualTimes: 10,
  ratePercent: 20,
  cardTimes: 3,
} as const

/** What holds where nobody has set anything: with other people's money a person decides. */
export function defaultPolicyFor({ live }: Pick<Merchant, 'live'>): RefundPolicy {
  return live
    ? { policy: 'manual', delaySeconds: 900, ...defaultLimits }
    : { policy: 'automatic', delaySeconds: 2, ...defaultLimits }
}
