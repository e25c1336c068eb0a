import type { LocalizedText } from '../../kit/text/locale.ts'
import type { Authentication } from './authentication.ts'
import { failureReasonTextsOf } from './failure-reason-texts.ts'

/** Texts that tell the payer why an attempt was refused. */
export interface RefusalTextsForPayer {
  sentence: LocalizedText
  /** Issuer's own text for the payer. It must be shown. */
  holderText: string | null
}

/** Texts about a refused authentication; undefined if there is nothing to show. */
export function refusalTextsForPayer(
  authentication: Authentication | undefined,
): RefusalTextsForPayer | undefined {
  if (authentication?.mode !== 'three_ds_server' || authentication.state !== 'refused') return undefined
  return { sentence: failureReasonTextsOf(authentication).payer, holderText: authentication.holderText }
}
