import type { LocalizedText } from '../../kit/text/locale.ts'
import { declineCodeOf } from './decide.ts'
import { ownFailureTexts, unauthenticatedStatuses } from './failure-reason-texts.ts'
import type { PayerAdvice } from './protocol/failure-reasons.ts'
import { reasonTextsOf, statusReasons } from './protocol/failure-reasons.ts'

/** A code that our 3DS Server gives to an attempt whose payer was not authenticated. */
export interface ThreeDsCode extends PayerAdvice {
  code: string
  meaning: LocalizedText
}

/** Every code of ours: those without an answer of the issuer, then each status with each reason. */
export function threeDsCodes(): ThreeDsCode[] {
  const own = Object.keys(ownFailureTexts).map((status) => codeFor(status, null))
  const reasons = [null, ...Object.keys(statusReasons)]
  const byIssuer = Object.keys(unauthenticatedStatuses).flatMap((status) =>
    reasons.toSorted().map((reason) => codeFor(status, reason)),
  )
  return [...own, ...byIssuer]
}

/** A code as it comes; reasons from 80 on belong to a directory server and have no text of ours. */
export function threeDsCodeOf(code: string): ThreeDsCode | undefined {
  const [, status = '', reason = null] = /^3DS-([NRUI])(?:-(\d\d))?$/.exec(code) ?? []
  return status === '' ? threeDsCodes().find((known) => known.code === code) : codeFor(status, reason)
}

function codeFor(status: string, reason: string | null): ThreeDsCode {
  const code = declineCodeOf({ status, reason })
  const { operator, payer, retry } = ownFailureTexts[status] ?? reasonTextsOf(statusReasons, reason ?? '')
  const byStatus = unauthenticatedStatuses[status]
  const meaning =
    byStatus && reason !== null
      ? { tr: `${byStatus.tr} ${operator.tr}`, en: `${byStatus.en} ${operator.en}` }
      : (byStatus ?? operator)
  return { code, meaning, payer, retry }
}
