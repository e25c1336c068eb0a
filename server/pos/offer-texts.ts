import { percentageText } from '../../kit/money/percentage.ts'
import { familyName, otherCards } from './commission.ts'
import type { InstallmentObstacle, OfferInput, Plan } from './offer.ts'

/** Reason for the choice of a POS, as text for operators. */
export function posChoiceText(
  { reason, commission, pos }: Plan,
  { card, currency }: Pick<OfferInput, 'card' | 'currency'>,
): string {
  const family = familyName(card?.family ?? otherCards).en
  const among = {
    own_family: `accepts ${family} cards as its own${commission.family === otherCards ? ', at its rate for other cards' : ''}`,
    all_for_unknown_card: 'the card is not in the BIN table',
    all: card?.family
      ? `no POS accepts ${family} cards as its own in ${currency}`
      : 'the card belongs to no family',
  }
  const criteria = {
    lowest_commission: `the lowest commission, ${percentageText(commission.rate)} %`,
    priority: `the highest priority, ${pos.priority}`,
    age: 'the POS added first',
  }
  const decided = reason.by.map((criterion) => criteria[criterion]).join('; among equals: ')
  return `${among[reason.among]}; ${decided || 'the only POS that offers this plan'}.`
}

/** Reasons for a single payment only, as text for operators. */
export const installmentObstacleTexts: Readonly<Record<InstallmentObstacle, string>> = {
  none_offered: 'The merchant offers no installments.',
  other_currency: 'Installments are available only in TRY.',
  unknown_card: 'The card is not in the BIN table.',
  foreign_card: 'Installments are available only for cards of banks in Turkey.',
  no_credit_card: 'Installments are available only for credit cards.',
}
