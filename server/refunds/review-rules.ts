import type { LocalizedText } from '../../kit/text/locale.ts'
import type { RefundPolicy } from './policy.ts'

/** What is known about a refund when the rules look at it. */
export interface RefundFacts {
  /** How long ago the payment was taken. */
  ageDays: number
  chargedMinor: number
  /** What the merchant took lately in this currency, in how many payments, and what of it goes back, this one included. */
  takenMinor: number
  payments: number
  refundedWithThisMinor: number
  /** How often money went back to the same card lately, without this time. */
  cardTimes: number
}

export const refundRuleNames = ['age', 'amount', 'rate', 'card'] as const

/** A rule that objects: what it found, and what it allows. */
export interface RuleViolation {
  rule: (typeof refundRuleNames)[number]
  found: number
  allowed: number
}

/** With fewer payments than this nobody knows what is usual. */
const fewestPayments = 10

/** What the rules object to: pure, so that every case can be tried. */
export function ruleViolationsOf(facts: RefundFacts, policy: RefundPolicy): RuleViolation[] {
  const { ageDays, chargedMinor, takenMinor, payments, refundedWithThisMinor, cardTimes } = facts
  const isKnown = payments >= fewestPayments && takenMinor > 0
  // Rounded towards the rule: what is a little too much is too much.
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

/** Text of a rule violation, for whoever reviews and for the merchant. */
export function violationMessage({ rule, found, allowed }: RuleViolation): LocalizedText {
  switch (rule) {
    case 'age':
      return {
        tr: `Ödeme ${found} gün önce alındı; sınır ${allowed} gün.`,
        en: `The payment was taken ${found} days ago; the limit is ${allowed} days.`,
      }
    case 'amount':
      return {
        tr: `Tutar, olağan bir ödemenin ${found} katı; sınır ${allowed} katı.`,
        en: `It is ${found} times a usual payment; the limit is ${allowed} times.`,
      }
    case 'rate':
      return {
        tr: `Son 30 günde alınanın %${found} kadarı iade ediliyor; sınır %${allowed}.`,
        en: `${found} % of what was taken in the last 30 days goes back; the limit is ${allowed} %.`,
      }
    case 'card':
      return {
        tr: `Son 30 günde aynı karta ${found}. iade; sınır ${allowed}.`,
        en: `It is refund number ${found} to this card in 30 days; the limit is ${allowed}.`,
      }
  }
}
