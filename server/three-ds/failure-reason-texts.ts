import type { LocalizedText } from '../../kit/text/locale.ts'
import type { Authentication } from './authentication.ts'
import type { FailureReasonTexts } from './protocol/failure-reasons.ts'
import { cancelReasons, reasonTextsOf, statusReasons } from './protocol/failure-reasons.ts'

/** Texts for our own statuses. The payer's text states whether money was charged and what to do next. */
export const ownFailureTexts: Readonly<Record<string, FailureReasonTexts>> = {
  not_enrolled: {
    operator: {
      tr: 'Kart 3D Secure hizmetine kayıtlı değil.',
      en: 'The card is not enrolled in 3-D Secure.',
    },
    payer: {
      tr: 'Bu kart 3D Secure ile ödemeye kapalı; kartınızdan para çekilmedi. Lütfen başka bir kart deneyin.',
      en: 'This card is not enrolled in 3-D Secure, and nothing was charged. Please try another card.',
    },
    retry: 'other_card',
  },
  timeout: {
    operator: {
      tr: 'Banka doğrulaması zamanında tamamlanmadı.',
      en: 'The bank’s verification was not completed in time.',
    },
    payer: {
      tr: 'Banka doğrulaması zamanında tamamlanmadı, kartınızdan para çekilmedi. Lütfen yeniden deneyin.',
      en: 'The bank’s verification was not completed in time and nothing was charged. Please try again.',
    },
    retry: 'same_card',
  },
  error: {
    operator: {
      tr: 'Banka doğrulaması şu anda yapılamıyor.',
      en: 'The bank’s verification is not possible at the moment.',
    },
    payer: {
      tr: 'Banka doğrulaması şu anda yapılamıyor, kartınızdan para çekilmedi. Biraz sonra yeniden deneyin veya başka bir kart kullanın.',
      en: 'The bank’s verification is not possible at the moment and nothing was charged. Try again in a little while, or use another card.',
    },
    retry: 'later',
  },
}

/** Statuses of EMV 3DS by which an issuer does not authenticate a payer. */
export const unauthenticatedStatuses: Readonly<Record<string, LocalizedText>> = {
  N: {
    tr: 'Banka kart hamilini doğrulamadı veya kart hamili vazgeçti.',
    en: 'The bank did not authenticate the cardholder, or the payer cancelled.',
  },
  R: {
    tr: 'Banka, kart hamiline sormadan doğrulamayı reddetti.',
    en: 'The bank rejected the authentication without asking the cardholder.',
  },
  U: { tr: 'Banka doğrulamayı yapamadı.', en: 'The bank could not complete the authentication.' },
  I: {
    tr: 'Banka yalnızca bilgilendirildi; kart hamili doğrulanmadı.',
    en: 'The bank was only informed; the cardholder was not authenticated.',
  },
}

/** Reason for a failed authentication, for the merchant's operators and for the payer. */
export function failureReasonTextsOf({ status, reason, cancel }: Authentication): FailureReasonTexts {
  const ours = ownFailureTexts[status ?? '']
  if (ours) return ours
  return cancel === null ? reasonTextsOf(statusReasons, reason ?? '') : reasonTextsOf(cancelReasons, cancel)
}

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
