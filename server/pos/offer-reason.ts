import type { Card } from '../bins/index.ts'
import type { Sentence } from '../kit/locale.ts'
import { percentageText } from '../kit/percentage.ts'
import { familyName, otherCards } from './commission.ts'
import type { Plan, Reason } from './offer.ts'

/** Why this POS, said to people. */
export function reasonInWords({ reason, commission, pos }: Plan, card: Card | undefined): Sentence {
  const among = amongWhom(reason, card)
  const by = whatDecided(reason, percentageText(commission.rate), pos.priority)
  return { tr: `${among.tr}; ${by.tr}.`, en: `${among.en}; ${by.en}.` }
}

function amongWhom({ among }: Reason, card: Card | undefined): Sentence {
  const family = familyName(card?.family ?? otherCards)
  switch (among) {
    case 'own_family':
      return {
        tr: `${family.tr} kartları kendi kartı olarak kabul eder`,
        en: `takes ${family.en} cards as its own`,
      }
    case 'all_for_unknown_card':
      return {
        tr: 'Kart tanınmıyor, her POS tek çekim alabilir',
        en: 'the card is unknown, any POS can take it in a single payment',
      }
    case 'all':
      return card?.family
        ? {
            tr: `${family.tr} kartları kendi kartı olarak kabul eden POS yok, her POS tek çekim alabilir`,
            en: `no POS takes ${family.en} cards as its own, any can take it in a single payment`,
          }
        : {
            tr: 'Kart bir aileye ait değil, her POS tek çekim alabilir',
            en: 'the card is of no family, any POS can take it in a single payment',
          }
  }
}

function whatDecided({ by }: Reason, rate: string, priority: number): Sentence {
  switch (by) {
    case 'being_the_only_one':
      return { tr: 'tek uygun POS', en: 'it is the only one' }
    case 'lowest_commission':
      return { tr: `en düşük komisyon, %${rate.replace('.', ',')}`, en: `the lowest commission, ${rate} %` }
    case 'priority':
      return { tr: `önceliği en yüksek, ${priority}`, en: `the first by priority, ${priority}` }
    case 'age':
      return { tr: 'diğerleriyle eşit, ilk tanımlanan', en: 'equal to others, added first' }
  }
}
