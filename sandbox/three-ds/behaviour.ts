import { isLuhnValid } from '../../kit/money/card.ts'
import { cards } from '../cards.ts'
import { authenticationCards } from './authentication-cards.ts'

/** What the directory server answers to an authentication request: a status, or something else altogether. */
export type AcsAnswer =
  | 'Y'
  | 'A'
  | 'N'
  | 'U'
  | 'R'
  | 'I'
  | 'C'
  /** It says that something is broken. */
  | 'error'
  /** It takes longer than anybody waits. */
  | 'timeout'
  /** Its number is in no range. */
  | 'not enrolled'

/** What the right code leads to. */
export type ChallengeOutcome = 'Y' | 'N' | 'U' | 'error'

/** What goes wrong beside that. */
export type AcsQuirk =
  | 'results late'
  | 'results lost'
  | 'results doubled'
  /** Before its results come those of a transaction that nobody has. */
  | 'results of another'
  /** What the browser brings back says Y, the results say N. */
  | 'completion lies'
  | 'completion lost'
  | 'answer mangled'
  | 'answer of another'
  | 'page silent'
  | 'page not framed'

/** What the bank does when the holder of a card is to be authenticated. */
export interface AcsBehaviour {
  answer: AcsAnswer
  /** Of a challenge. */
  meaning?: ChallengeOutcome
  quirk?: AcsQuirk
  /** Why not, as `transStatusReason` says it. */
  reason?: string
}

const byNumber = new Map<string, AcsBehaviour>(
  authenticationCards.map(({ number, behaviour }) => [number, behaviour]),
)
const charged = new Map(cards.map((card) => [card.number, card]))

/** Of a card that is there for what happens when it is charged, nobody is asked for a code. */
export function behaviourOf(number: string): AcsBehaviour {
  const known = byNumber.get(number)
  if (known) return known
  if (!isLuhnValid(number)) return { answer: 'N', reason: '06' }
  const card = charged.get(number)
  const isQuick = card?.declines !== undefined || card?.fault !== undefined
  return isQuick ? { answer: 'Y' } : { answer: 'C', meaning: 'Y' }
}
