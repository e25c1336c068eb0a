import type { Language } from '../../kit/text/locale.ts'
import { amountText, cardText, timeText } from '../bank-page/facts.ts'
import type { BankPage } from '../bank-page/page.ts'
import { passcodePage } from '../bank-page/page.ts'
import type { AcsAuthentication } from './authentication.ts'
import { triesLeft } from './challenge.ts'

/** What a page passes on to the next: in which language it is, and what the browser brought from the shop. */
export interface ChallengePageOptions {
  language: Language
  /** `threeDSSessionData`, to be brought back as it came. */
  session: string | null
  isInFrame: boolean
}

/** Asks the holder for the code. */
export function challengePage(found: AcsAuthentication, options: ChallengePageOptions): BankPage {
  const { language, session, isInFrame } = options
  const state = { transaction: found.acsTransID, session: encodeAsLetters(session ?? '') }
  const other = new URLSearchParams({ ...state, language: language === 'tr' ? 'en' : 'tr' })
  return passcodePage({
    language,
    facts: [
      ['store', found.merchantName],
      ['amount', amountText(found, language)],
      ['card', cardText(found.card)],
      ['date', timeText(found.purchasedAt, language)],
    ],
    code: found.code ?? '',
    triesLeft: found.wrongCodes > 0 ? triesLeft(found) : undefined,
    action: 'answer',
    hidden: { ...state, language },
    otherAddress: `challenge?${other}`,
    isInFrame,
  })
}

const firstLetter = 'a'.charCodeAt(0)

/** Anything, in letters alone: a session may hold digits, and six in a row on the page are its code. */
function encodeAsLetters(text: string): string {
  const letterOf = (half: number) => String.fromCharCode(firstLetter + half)
  return Array.from(Buffer.from(text), (byte) => letterOf(byte >> 4) + letterOf(byte & 15)).join('')
}

/** What was put into letters; nothing of what never was. */
export function decodeLetters(letters: string): string {
  if (!/^(?:[a-p]{2})*$/.test(letters)) return ''
  const halves = Array.from(letters, (letter) => letter.charCodeAt(0) - firstLetter)
  const bytes = halves.flatMap((half, index) =>
    index % 2 === 0 ? [half * 16 + (halves[index + 1] ?? 0)] : [],
  )
  return Buffer.from(bytes).toString('utf8')
}
