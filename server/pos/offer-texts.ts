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
            tr: `${family.tr} kartlarını kendi kartı olarak, diğer kartların oranıyla kabul eder`,
            en: `accepts ${family.en} cards as its own, at its rate for other cards`,
          }
        : {
            tr: `${family.tr} kartlarını kendi kartı olarak kabul eder`,
            en: `accepts ${family.en} cards as its own`,
          }
    case 'all_for_unknown_card':
      return { tr: 'kart BIN tablosunda yok', en: 'the card is not in the BIN table' }
    case 'all':
      return card?.family
        ? {
            tr: `${family.tr} kartlarını ${currency} ile kendi kartı olarak kabul eden POS yok`,
            en: `no POS accepts ${family.en} cards as its own in ${currency}`,
          }
        : { tr: 'kart bir aileye ait değil', en: 'the card belongs to no family' }
  }
}

function whatDecided({ reason, commission, pos }: Plan): LocalizedText[] {
  if (reason.by.length === 0)
    return [{ tr: 'bu seçeneği sunan tek POS', en: 'the only POS that offers this plan' }]
  const rate = percentageText(commission.rate)
  return reason.by.map((criterion, index) => {
    const words = criterionText(criterion, rate, pos.priority)
    return index === 0 ? words : { tr: `eşitler arasında: ${words.tr}`, en: `among equals: ${words.en}` }
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
      return { tr: `önceliği en yüksek, ${priority}`, en: `the highest priority, ${priority}` }
    case 'age':
      return { tr: 'ilk eklenen POS', en: 'the POS added first' }
  }
}

const obstacles: Record<InstallmentObstacle, LocalizedText> = {
  none_offered: { tr: 'Üye iş yeri taksit sunmuyor.', en: 'The merchant offers no installments.' },
  other_currency: {
    tr: 'Taksit yalnızca TRY ödemelerde yapılır.',
    en: 'Installments are available only in TRY.',
  },
  unknown_card: { tr: 'Kart BIN tablosunda yok.', en: 'The card is not in the BIN table.' },
  foreign_card: {
    tr: 'Taksit yalnızca Türkiye’deki bankaların kartlarıyla yapılır.',
    en: 'Installments are available only for cards of banks in Turkey.',
  },
  no_credit_card: {
    tr: 'Taksit yalnızca kredi kartlarıyla yapılır.',
    en: 'Installments are available only for credit cards.',
  },
}

/** Reason for a single payment only, as text. */
export function installmentObstacleText(obstacle: InstallmentObstacle): LocalizedText {
  return obstacles[obstacle]
}
