import { maxAmountMinor } from '../../kit/money/money.ts'
import { applyPercentage } from '../../kit/money/percentage.ts'
import type { BinCard } from '../bins/index.ts'
import type { Bearer, Commission, PricedPos } from './commission.ts'
import { acceptedCommissions, otherCards } from './commission.ts'
import type { Pos } from './pos.ts'
import { acceptsPayments } from './pos.ts'

/** What a payment is about, as far as its price depends on it. */
export interface OfferInput {
  /** What is known of the card; undefined for a BIN that no row begins. */
  card: BinCard | undefined
  amountMinor: number
  currency: string
  /** Whether the merchant offers installments at all. */
  installmentsOffered: boolean
  /** Every POS of the merchant with what it takes now, in any order. */
  poses: readonly PricedPos[]
}

/** One way to pay: in how many installments, through which POS, who pays and gets what. */
export interface Plan {
  installment: number
  pos: Pos
  commission: Commission
  /** Who bears it here: of a single payment always the merchant. */
  bearer: Bearer
  /** What the bank keeps. */
  commissionMinor: number
  /** What the payer is charged in all. */
  chargedMinor: number
  /** The same by month, the largest first. */
  installmentsMinor: number[]
  /** What the merchant gets: what is charged without the commission. */
  merchantGetsMinor: number
  reason: PosChoiceReason
}

/** Why a POS was taken: from among which ones, and what told it from the others, one thing after the other. */
export interface PosChoiceReason {
  among: 'own_family' | 'all' | 'all_for_unknown_card'
  by: readonly ('lowest_commission' | 'priority' | 'age')[]
}

/** Why a card pays once and not in installments. */
export type InstallmentObstacle =
  | 'none_offered'
  | 'other_currency'
  | 'unknown_card'
  | 'foreign_card'
  | 'no_credit_card'

/** Installments are a custom of Turkish credit cards, agreed on in lira. */
const installmentCurrency = 'TRY'
const installmentCountry = 'TR'

/** A POS that could take the payment, with what it would take. */
export interface PosCandidate {
  pos: Pos
  commission: Commission
}

/**
 * For each number of installments that can be offered, the plan with the POS chosen: of the card's own family first, then
 * of the lowest commission, then by priority; the single payment first. It is empty when no active POS takes the
 * currency. Guarantee: whatever the order of what it is given, the answer is the same; in each plan what is charged is
 * exactly what the merchant gets and the commission, and the installments are exactly what is charged.
 */
export function plansFor(input: OfferInput): Plan[] {
  return countsOf(input).flatMap((installment) => {
    const choice = chosenAmong(candidatesFor(input, installment), input.card)
    const plan = choice && planOf(choice, input.amountMinor, installment)
    return plan && isPayable(plan) ? [plan] : []
  })
}

/**
 * The rates that the choice is made from for this card, in whichever currency: what a merchant asks for who wants to know
 * what a card gets. Of a card that nothing is known of, nothing.
 */
export function candidatesForCard(input: Omit<EligibilityInput, 'currency'>): PosCandidate[] {
  if (!input.card) return []
  const anyCurrency = { ...input, currency: undefined }
  return countsOf(anyCurrency).flatMap((installment) => candidatesFor(anyCurrency, installment))
}

/** What keeps a card from paying in installments, whatever the POS offer; undefined if nothing does. */
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

/** What may be offered depends on everything but the amount; without a currency, on what holds in any. */
type EligibilityInput = Omit<OfferInput, 'amountMinor' | 'currency'> & { currency: string | undefined }

function countsOf(input: EligibilityInput): number[] {
  if (installmentObstacle(input)) return [1]
  const counts = input.poses.flatMap(({ commissions }) => commissions.map(({ installment }) => installment))
  return [...new Set([1, ...counts])].toSorted((one, other) => one - other)
}

/** Where a POS of the card's own family can take it, no other is asked. */
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

function isOwn(pos: Pos, card: BinCard | undefined): boolean {
  return card?.family != null && pos.families.includes(card.family)
}

/** The rate of the card's own family; of a single payment, for want of one, the rate of other cards. */
function commissionFor(
  priced: PricedPos,
  card: BinCard | undefined,
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
  card: BinCard | undefined,
): (PosCandidate & { reason: PosChoiceReason }) | undefined {
  const criteria: [PosChoiceReason['by'][number], (candidate: PosCandidate) => number][] = [
    // Of an unknown card it is not known what it costs, so commissions do not choose for it.
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

/** A single payment never costs the payer more, whatever is written about who bears its commission. */
function planOf(
  { pos, commission, reason }: PosCandidate & { reason: PosChoiceReason },
  amountMinor: number,
  installment: number,
): Plan {
  const commissionMinor = applyPercentage(amountMinor, commission.rate)
  const bearer = installment === 1 ? 'merchant' : commission.by
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

/** A part of nothing is no installment, and no charge is larger than the largest amount. */
function isPayable({ chargedMinor, installment }: Plan): boolean {
  return chargedMinor >= installment && chargedMinor <= maxAmountMinor
}

/** As equal as whole units can be: the first parts are a unit larger until nothing is left over. */
function inParts(amountMinor: number, count: number): number[] {
  const part = Math.floor(amountMinor / count)
  const left = amountMinor % count
  return Array.from({ length: count }, (_, index) => (index < left ? part + 1 : part))
}
