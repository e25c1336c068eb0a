import type { Authentication } from './authentication.ts'
import { ownNoVerdictStatuses } from './authentication.ts'
import type { FailureReasonTexts } from './protocol/failure-reasons.ts'
import { cancelReasonTextsOf, statusReasonTextsOf } from './protocol/failure-reasons.ts'

/** A payer wants to know whether anything was charged, and what to do next. */
const own: Readonly<Record<string, FailureReasonTexts>> = {
  [ownNoVerdictStatuses.notEnrolled]: {
    operator: {
      tr: 'Kart 3D Secure doğrulamasına kayıtlı değil.',
      en: 'The card does not take part in 3-D Secure.',
    },
    payer: {
      tr: 'Bu kart 3D Secure ile ödemeye kapalı; kartınızdan para çekilmedi. Lütfen başka bir kart deneyin.',
      en: 'This card does not take part in 3-D Secure, and nothing was charged. Please try another card.',
    },
  },
  [ownNoVerdictStatuses.timeout]: {
    operator: {
      tr: 'Banka doğrulaması zamanında tamamlanmadı.',
      en: 'The bank’s verification was not completed in time.',
    },
    payer: {
      tr: 'Banka doğrulaması zamanında tamamlanmadı, kartınızdan para çekilmedi. Lütfen yeniden deneyin.',
      en: 'The bank’s verification was not completed in time, and nothing was charged. Please try again.',
    },
  },
  [ownNoVerdictStatuses.error]: {
    operator: {
      tr: 'Banka doğrulaması şu anda yapılamıyor.',
      en: 'The bank’s verification cannot be done at the moment.',
    },
    payer: {
      tr: 'Banka doğrulaması şu anda yapılamıyor, kartınızdan para çekilmedi. Biraz sonra yeniden deneyin veya başka bir kart kullanın.',
      en: 'The bank’s verification cannot be done at the moment, and nothing was charged. Try again in a little while, or use another card.',
    },
  },
}

/** Why the holder was not proven: for people of the merchant, and for the payer. */
export function failureReasonTextsOf({ status, reason, cancel }: Authentication): FailureReasonTexts {
  const ours = own[status ?? '']
  if (ours) return ours
  return cancel === null ? statusReasonTextsOf(reason ?? '') : cancelReasonTextsOf(cancel)
}
