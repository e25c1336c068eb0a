import type { Sentence } from '../kit/locale.ts'
import type { Authentication } from './authentication.ts'
import { sentencesOf } from './sentence.ts'

/** Why an attempt was not let pass, for its payer. */
export interface Explanation {
  sentence: Sentence
  /** What the issuer itself wants the payer to read. It has to be shown. */
  holderText: string | null
}

/** What to tell the payer about an authentication that was refused; undefined if there is nothing to tell. */
export function explanationOf(authentication: Authentication | undefined): Explanation | undefined {
  if (authentication?.mode !== 'us' || authentication.state !== 'refused') return undefined
  return { sentence: sentencesOf(authentication).payer, holderText: authentication.holderText }
}
