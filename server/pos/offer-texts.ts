import { percentageText } from '../../kit/money/percentage.ts'
import type { LocalizedText } from '../../kit/text/locale.ts'
import type { BinCard } from '../bins/index.ts'
import { familyName, otherCards } from './commission.ts'
import type { InstallmentObstacle, OfferInput, Plan, PosChoiceReason } from './offer.ts'

/** Reason for the choice of a POS, as text. */
export function posChoiceText(
  plan: Plan,
  { card, currency }: Pick<OfferInput, 'card' | 'currency'>,
): LocalizedText {
  const parts = [amongWhom(plan, card, currency), ...whatDecided(plan)]
  return {
    tr: `${parts.map(({ tr }) => tr).join('; ')}.`,
    en: `${parts.map(({ en }) => en).join('; ')}.`,
  }
}

function amongWhom({ reason, commission }: Plan, card: BinCard | undefined, currency: string): LocalizedText {
  const family = familyName(card?.family ?? otherCards)
  switch (reason.among) {
    case 'own_family':
      return commission.family === otherCards
        ? {
            tr: `${family.tr} kartları kendi kartı olarak kabul eder, diğer kartların oranıyla`,
            en: `takes ${family.en} cards as its own, at its rate for other cards`,
          }
        : {
            tr: `${family.tr} kartları kendi kartı olarak kabul eder`,
            en: `takes ${family.en} cards as its own`,
          }
    case 'all_for_unknown_card':
      return { tr: 'kart hiçbir tabloda yok', en: 'the card is in no table' }
    case 'all':
      return card?.family
        ? {
            tr: `${family.tr} kartları ${currency} ile kendi kartı olarak kabul eden POS yok`,
            en: `no POS takes ${family.en} cards as its own in ${currency}`,
          }
        : { tr: 'kart bir aileye ait değil', en: 'the card is of no family' }
  }
}

function whatDecided({ reason, commission, pos }: Plan): LocalizedText[] {
  if (reason.by.length === 0) return [{ tr: 'bunu sunan tek POS', en: 'the only one that offers this' }]
  const rate = percentageText(commission.rate)
  return reason.by.map((criterion, index) => {
    const words = criterionText(criterion, rate, pos.priority)
    return index === 0 ? words : { tr: `eşitler arasında ${words.tr}`, en: `among equals ${words.en}` }
  })
}

function criterionText(
  criterion: PosChoiceReason['by'][number],
  rate: string,
  priority: number,
): LocalizedText {
  switch (criterion) {
    case 'lowest_commission':
      return { tr: `en düşük komisyon, %${rate.replace('.', ',')}`, en: `the lowest commission, ${rate} %` }
    case 'priority':
      return { tr: `önceliği en yüksek, ${priority}`, en: `the first by priority, ${priority}` }
    case 'age':
      return { tr: 'ilk tanımlanan', en: 'the one added first' }
  }
}

const obstacles: Record<InstallmentObstacle, LocalizedText> = {
  none_offered: { tr: 'Üye iş yeri taksit sunmuyor.', en: 'The merchant offers no installments.' },
  other_currency: { tr: 'Taksit yalnızca TRY ile yapılır.', en: 'Installments are in TRY alone.' },
  unknown_card: { tr: 'Kart hiçbir tabloda yok.', en: 'The card is in no table.' },
  foreign_card: {
    tr: 'Taksit yalnızca Türkiye’deki bankaların kartlarıyla yapılır.',
    en: 'Installments are for cards of banks in Turkey alone.',
  },
  no_credit_card: {
    tr: 'Taksit yalnızca kredi kartlarıyla yapılır.',
    en: 'Installments are for credit cards alone.',
  },
}

/** Reason for a single payment only, as text. */
export function installmentObstacleText(obstacle: InstallmentObstacle): LocalizedText {
  return obstacles[obstacle]
}
