import type { Language } from '../../kit/text/locale.ts'
import { amountText, cardText, timeText } from '../bank-page/facts.ts'
import type { BankPage } from '../bank-page/page.ts'
import { passcodePage } from '../bank-page/page.ts'
import type { AcsAuthentication } from './authentication.ts'
import { triesLeft } from './challenge.ts'

/** State that one challenge page passes to the next. */
export interface ChallengePageOptions {
  /** Language that the cardholder chose on the page. Default: the language of the authentication. */
  chosen: Language | undefined
  /** `threeDSSessionData` of the store, returned unchanged. */
  session: string | null
  isInFrame: boolean
}

/** Page that asks the cardholder for the code. */
export function challengePage(found: AcsAuthentication, options: ChallengePageOptions): BankPage {
  const { chosen, session, isInFrame } = options
  const language = chosen ?? found.language
  const state = { transaction: found.acsTransId, session: encodeAsLetters(session ?? '') }
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

/**
 * Encodes a text in letters only: session data can contain digits, and the code must be the only six in a row
 * on the page.
 */
function encodeAsLetters(text: string): string {
  const letterOf = (half: number) => String.fromCharCode(firstLetter + half)
  return Array.from(Buffer.from(text), (byte) => letterOf(byte >> 4) + letterOf(byte & 15)).join('')
}

/** Decoded text; empty if the letters are not valid. */
export function decodeLetters(letters: string): string {
  if (!/^(?:[a-p]{2})*$/.test(letters)) return ''
  const halves = Array.from(letters, (letter) => letter.charCodeAt(0) - firstLetter)
  const bytes = halves.flatMap((half, index) =>
    index % 2 === 0 ? [half * 16 + (halves[index + 1] ?? 0)] : [],
  )
  return Buffer.from(bytes).toString('utf8')
}
