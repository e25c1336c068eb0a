import type { LocalizedText } from '../../kit/text/locale.ts'
import type { RefundPolicy } from './policy.ts'

/** Facts about a refund that the rules need. */
export interface RefundFacts {
  /** Age of the payment. */
  ageDays: number
  chargedMinor: number
  /**
   * The merchant's captured amount of the last 30 days in this currency, its number of payments, and the
   * refunded amount with this refund.
   */
  takenMinor: number
  payments: number
  refundedWithThisMinor: number
  /** Refunds to the same card in the last 30 days, without this one. */
  cardTimes: number
}

export const refundRuleNames = ['age', 'amount', 'rate', 'card'] as const

/** Violation of a rule: the value found, and the limit. */
export interface RuleViolation {
  rule: (typeof refundRuleNames)[number]
  found: number
  allowed: number
}

/** Fewest payments that give a meaningful average. */
const fewestPayments = 10

/** Rule violations of a refund. Pure, so that tests can cover every case. */
export function ruleViolationsOf(facts: RefundFacts, policy: RefundPolicy): RuleViolation[] {
  const { ageDays, chargedMinor, takenMinor, payments, refundedWithThisMinor, cardTimes } = facts
  const isKnown = payments >= fewestPayments && takenMinor > 0
  // Rounded up: slightly above a limit is a violation.
  const timesUsual = isKnown ? Math.ceil((chargedMinor * payments) / takenMinor) : 0
  const percent = isKnown ? Math.ceil((refundedWithThisMinor * 100) / takenMinor) : 0
  const all: RuleViolation[] = [
    { rule: 'age', found: Math.floor(ageDays), allowed: policy.maxAgeDays },
    { rule: 'amount', found: timesUsual, allowed: policy.usualTimes },
    { rule: 'rate', found: percent, allowed: policy.ratePercent },
    { rule: 'card', found: cardTimes + 1, allowed: policy.cardTimes },
  ]
  return all.filter(({ found, allowed }) => found > allowed)
}

/** Text of a violation, for operators and for the merchant. */
export function violationMessage({ rule, found, allowed }: RuleViolation): LocalizedText {
  switch (rule) {
    case 'age':
      return {
        tr: `Ödeme ${found} gün önce alındı; sınır ${allowed} gün.`,
        en: `The payment is ${found} days old; the limit is ${allowed} days.`,
      }
    case 'amount':
      return {
        tr: `Tutar, olağan bir ödemenin ${found} katı; sınır ${allowed} kat.`,
        en: `The amount is ${found} times a usual payment; the limit is ${allowed} times.`,
      }
    case 'rate':
      return {
        tr: `Son 30 günde tahsil edilen tutarın %${found} kadarı iade ediliyor; sınır %${allowed}.`,
        en: `Refunds are ${found} % of the amount collected in the last 30 days; the limit is ${allowed} %.`,
      }
    case 'card':
      return {
        tr: `Bu karta son 30 gündeki ${found}. iade; sınır ${allowed}.`,
        en: `This is refund number ${found} to this card in 30 days; the limit is ${allowed}.`,
      }
  }
}
