import { maxAmountMinor } from '../../kit/money/money.ts'
import { applyPercentage } from '../../kit/money/percentage.ts'
import type { CardKind } from '../bins/index.ts'
import type { Bearer, Commission, PricedPos } from './commission.ts'
import { acceptedCommissions, otherCards } from './commission.ts'
import type { Pos } from './pos.ts'
import { acceptsPayments } from './pos.ts'

/** Facts about a payment that determine its price. */
export interface OfferInput {
  /** The card; undefined for an unknown BIN. */
  card: CardKind | undefined
  amountMinor: number
  currency: string
  /** True if the merchant offers installments. */
  installmentsOffered: boolean
  /** All POS of the merchant with their current commissions, in any order. */
  poses: readonly PricedPos[]
}

/** A way to pay: number of installments, POS, and amounts. */
export interface Plan {
  installment: number
  pos: Pos
  commission: Commission
  /** Bearer of the commission; for a single payment always the merchant. */
  bearer: Bearer
  /** Amount the bank keeps. */
  commissionMinor: number
  /** Total charge of the payer. */
  chargedMinor: number
  /** Monthly parts of the charge, the largest first. */
  installmentsMinor: number[]
  /** Amount the merchant receives: the charge without the commission. */
  merchantGetsMinor: number
  reason: PosChoiceReason
}

/** Reason for the choice of a POS: the set it was chosen from, and the criteria that decided, in order. */
export interface PosChoiceReason {
  among: 'own_family' | 'all' | 'all_for_unknown_card'
  by: readonly ('lowest_commission' | 'priority' | 'age')[]
}

/** Reasons for a single payment only. */
export type InstallmentObstacle =
  | 'none_offered'
  | 'other_currency'
  | 'unknown_card'
  | 'foreign_card'
  | 'no_credit_card'

/** Installments exist for Turkish credit cards, in lira. */
const installmentCurrency = 'TRY'
const installmentCountry = 'TR'

/** POS that could take the payment, with its commission. */
export interface PosCandidate {
  pos: Pos
  commission: Commission
}

/**
 * Plans for each possible number of installments, the single payment first. The POS of a plan is chosen by
 * the card's own family, then by the lowest commission, then by priority. The list is empty if no active POS
 * has the currency. Guarantees: the result does not depend on the order of the input; the charge is exactly
 * the merchant's amount plus the commission; the installments add up exactly to the charge.
 */
export function plansFor(input: OfferInput): Plan[] {
  return countsOf(input).flatMap((installment) => {
    const choice = chosenAmong(candidatesFor(input, installment), input.card)
    const plan = choice && planOf(choice, input.amountMinor, installment)
    return plan && isPayable(plan) ? [plan] : []
  })
}

/**
 * Rates that the choice for this card is made from, in any currency. Merchants request them to see the rates
 * of a card. Empty for an unknown card.
 */
export function candidatesForCard(input: Omit<EligibilityInput, 'currency'>): PosCandidate[] {
  if (!input.card) return []
  const anyCurrency = { ...input, currency: undefined }
  return countsOf(anyCurrency).flatMap((installment) => candidatesFor(anyCurrency, installment))
}

/** Reason for which a card cannot pay in installments at any POS; undefined if it can. */
export function installmentObstacle({
  card,
  currency,
  installmentsOffered,
}: Omit<EligibilityInput, 'poses'>): InstallmentObstacle | undefined {
  if (!installmentsOffered) return 'none_offered'
  if (currency !== undefined && currency !== installmentCurrency) return 'other_currency'
  if (!card) return 'unknown_card'
  if (card.country !== installmentCountry) return 'foreign_card'
  return card.type === 'credit' && !card.prepaid ? undefined : 'no_credit_card'
}

/** Input without the amount, which does not affect eligibility. An undefined currency means any. */
type EligibilityInput = Omit<OfferInput, 'amountMinor' | 'currency'> & { currency: string | undefined }

function countsOf(input: EligibilityInput): number[] {
  if (installmentObstacle(input)) return [1]
  const counts = input.poses.flatMap(({ commissions }) => commissions.map(({ installment }) => installment))
  return [...new Set([1, ...counts])].toSorted((one, other) => one - other)
}

/** Eligible POS. If one of the card's own family can take it, no other is considered. */
function candidatesFor({ card, currency, poses }: EligibilityInput, installment: number): PosCandidate[] {
  const able = poses
    .filter(({ pos }) => acceptsPayments(pos, currency))
    .flatMap((priced) => {
      const commission = commissionFor(priced, card, installment)
      return commission ? [{ pos: priced.pos, commission }] : []
    })
  const own = able.filter(({ pos }) => isOwn(pos, card))
  return own.length > 0 ? own : able
}

function isOwn(pos: Pos, card: CardKind | undefined): boolean {
  return card?.family != null && pos.families.includes(card.family)
}

/** Rate of the card's own family; for a single payment without one, the rate of other cards. */
function commissionFor(
  priced: PricedPos,
  card: CardKind | undefined,
  installment: number,
): Commission | undefined {
  const segment = card?.segment ?? 'personal'
  const here = acceptedCommissions(priced).filter(
    (each) => each.segment === segment && each.installment === installment,
  )
  const own = here.find(({ family }) => family === card?.family)
  return own ?? (installment === 1 ? here.find(({ family }) => family === otherCards) : undefined)
}

function chosenAmong(
  candidates: readonly PosCandidate[],
  card: CardKind | undefined,
): (PosCandidate & { reason: PosChoiceReason }) | undefined {
  const criteria: [PosChoiceReason['by'][number], (candidate: PosCandidate) => number][] = [
    // The commission of an unknown card is not known, so it does not decide.
    ['lowest_commission', ({ commission }) => (card ? commission.rate : 0)],
    ['priority', ({ pos }) => pos.priority],
    ['age', ({ pos }) => pos.id],
  ]
  let left = candidates
  const by = criteria.flatMap(([criterion, measure]) => {
    const least = Math.min(...left.map(measure))
    const before = left.length
    left = left.filter((candidate) => measure(candidate) === least)
    return left.length < before ? [criterion] : []
  })
  const [chosen] = left
  if (!chosen) return undefined
  const among = !card ? 'all_for_unknown_card' : isOwn(chosen.pos, card) ? 'own_family' : 'all'
  return { ...chosen, reason: { among, by } }
}

/** A single payment never costs the payer more, whatever bearer its rate has. */
function planOf(
  { pos, commission, reason }: PosCandidate & { reason: PosChoiceReason },
  amountMinor: number,
  installment: number,
): Plan {
  const commissionMinor = applyPercentage(amountMinor, commission.rate)
  const bearer = installment === 1 ? 'merchant' : commission.commissionBy
  const chargedMinor = bearer === 'customer' ? amountMinor + commissionMinor : amountMinor
  return {
    installment,
    pos,
    commission,
    bearer,
    commissionMinor,
    chargedMinor,
    installmentsMinor: inParts(chargedMinor, installment),
    merchantGetsMinor: chargedMinor - commissionMinor,
    reason,
  }
}

/** Every installment has at least one minor unit, and no charge exceeds the maximum amount. */
function isPayable({ chargedMinor, installment }: Plan): boolean {
  return chargedMinor >= installment && chargedMinor <= maxAmountMinor
}

/** Parts that differ by at most one minor unit, the larger ones first. */
function inParts(amountMinor: number, count: number): number[] {
  const part = Math.floor(amountMinor / count)
  const left = amountMinor % count
  return Array.from({ length: count }, (_, index) => (index < left ? part + 1 : part))
}
