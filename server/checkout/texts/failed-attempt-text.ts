import type { LocalizedText } from '../../../kit/text/locale.ts'
import type { DeclineReason } from '../../connectors/index.ts'
import type { Attempt } from '../../payments/index.ts'

/** General text, also used if the real reason would help someone who has found or stolen a card. */
const refused: LocalizedText = {
  tr: 'Bankanız bu kartla ödemeyi onaylamadı. Başka bir kart deneyebilir veya bankanızı arayabilirsiniz.',
  en: 'Your bank did not approve the payment with this card. You can try another card or call your bank.',
}

const notReached: LocalizedText = {
  tr: 'Ödeme bankaya iletilemedi, kartınızdan para çekilmedi. Lütfen yeniden deneyin.',
  en: 'The bank could not be reached and nothing was charged. Please try again.',
}

const undone: LocalizedText = {
  tr: 'Bankanızdan zamanında yanıt alınamadı; çekilen bir tutar varsa iade edildi. Lütfen yeniden deneyin.',
  en: 'Your bank did not respond in time; any amount charged has been returned. Please try again.',
}

const notAllowed: LocalizedText = {
  tr: 'Bu kart bu işleme kapalı. Bankanızı arayabilir veya başka bir kart deneyebilirsiniz.',
  en: 'This card cannot be used for this payment. You can call your bank or try another card.',
}

const byReason: Readonly<Record<DeclineReason, LocalizedText>> = {
  insufficient_funds: {
    tr: 'Kartınızın bakiyesi veya limiti bu ödeme için yeterli değil. Lütfen başka bir kart deneyin.',
    en: 'Your card does not have enough balance or limit for this payment. Please try another card.',
  },
  expired_card: {
    tr: 'Kartın son kullanma tarihi geçmiş ya da hatalı girilmiş. Tarihi kontrol edin veya başka bir kart deneyin.',
    en: 'The card has expired or the expiry date is wrong. Check the date or try another card.',
  },
  wrong_cvc: {
    tr: 'Güvenlik kodu (CVC) hatalı. Lütfen kontrol edip yeniden deneyin.',
    en: 'The security code (CVC) is wrong. Please check it and try again.',
  },
  authentication_failed: {
    tr: 'Banka doğrulaması tamamlanmadı, kartınızdan para çekilmedi. Yeniden deneyebilir veya başka bir kart kullanabilirsiniz.',
    en: 'The bank’s verification was not completed and nothing was charged. You can try again or use another card.',
  },
  not_permitted_to_holder: notAllowed,
  not_permitted_to_terminal: {
    tr: 'Bu kart bu satıcıda kullanılamıyor. Lütfen başka bir kart deneyin.',
    en: 'This card cannot be used with this seller. Please try another card.',
  },
  bank_not_reached: notReached,
  invalid_transaction: refused,
  do_not_honour: refused,
  lost_card: refused,
  stolen_card: refused,
  pick_up_card: refused,
  suspected_fraud: refused,
  duplicate_reference: refused,
  nothing_to_undo: refused,
  already_settled: refused,
  not_settled_yet: refused,
  sums_differ: refused,
  other: refused,
}

/** Reason of a failed attempt for the payer; undefined if there is nothing to show. */
export function failedAttemptText({
  state,
  declineReason,
  code,
}: Pick<Attempt, 'state' | 'declineReason' | 'code'>): LocalizedText | undefined {
  if (state === 'declined') return byReason[declineReason ?? 'other']
  if (state === 'reversed') return undone
  // The payer knows about an attempt that was replaced by another card or that expired.
  return state === 'abandoned' && code !== 'superseded' && code !== 'expired' ? notReached : undefined
}
