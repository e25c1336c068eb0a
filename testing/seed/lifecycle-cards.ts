import fc from 'fast-check'
import { cards } from '../../sandbox/index.ts'

export const approvingCard = '5400360000000003'
export const decliningCard = '4111111111111129'
const faulty = cards.filter(({ fault }) => fault?.answer !== undefined || fault?.done !== undefined)
/** Cards that answer immediately, right or wrong. The others would need a running clock. */
const unknown = faulty.filter(({ fault }) => typeof fault?.answer === 'string' && fault.name !== 'stuck')
/** Approved cards whose modifications fail without manual review. */
export const troubleCards = cards
  .filter(({ fault }) => fault?.modificationFault && typeof fault.modificationFault.answer !== 'object')
  .filter(({ fault }) => !fault?.modificationFault?.isLasting && !fault?.modificationFault?.shortMinor)
  .map(({ number }) => number)
export const isApprovedCard = (card: string) => card === approvingCard || troubleCards.includes(card)
export const anyLifecycleCard = fc.oneof(
  { weight: 2, arbitrary: fc.constant(approvingCard) },
  { weight: 2, arbitrary: fc.constantFrom(...troubleCards) },
  { weight: 3, arbitrary: fc.constant(decliningCard) },
  { weight: 2, arbitrary: fc.constantFrom(...unknown.map(({ number }) => number)) },
)
