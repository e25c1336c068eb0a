import { isLuhnValid } from '../../kit/money/card.ts'
import { cards } from '../cards/cards.ts'
import type { AcsBehaviour } from './authentication-cards.ts'
import { authenticationCards } from './authentication-cards.ts'

const byNumber = new Map<string, AcsBehaviour>(
  authenticationCards.map(({ number, behaviour }) => [number, behaviour]),
)
const charged = new Map(cards.map((card) => [card.number, card]))

/**
 * Behaviour for a card number. A card with a charge rule is authenticated without a code, a card without any
 * rule with one.
 */
export function behaviourOf(number: string): AcsBehaviour {
  const known = byNumber.get(number)
  if (known) return known
  if (!isLuhnValid(number)) return { answer: 'N', reason: '06' }
  const card = charged.get(number)
  const isQuick = card?.declines !== undefined || card?.fault !== undefined
  return isQuick ? { answer: 'Y' } : { answer: 'C', meaning: 'Y' }
}
