import type { LocalizedText } from '../../kit/text/locale.ts'
import type { Authentication } from './authentication.ts'
import { failureReasonTextsOf } from './failure-reason-texts.ts'

/** Why an attempt was not let pass, for its payer. */
export interface RefusalTextsForPayer {
  sentence: LocalizedText
  /** What the issuer itself wants the payer to read. It has to be shown. */
  holderText: string | null
}

/** What to tell the payer about an authentication that was refused; undefined if there is nothing to tell. */
export function refusalTextsForPayer(
  authentication: Authentication | undefined,
): RefusalTextsForPayer | undefined {
  if (authentication?.mode !== 'us' || authentication.state !== 'refused') return undefined
  return { sentence: failureReasonTextsOf(authentication).payer, holderText: authentication.holderText }
}
