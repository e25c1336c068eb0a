import type { LocalizedText } from '../../../kit/text/locale.ts'

/** Texts about a failed authentication: all of it for operators, the part that may be shown for payers. */
export interface FailureReasonTexts extends PayerAdvice {
  operator: LocalizedText
}

/** Text that the payer reads, and the next try it asks for. */
export interface PayerAdvice {
  payer: LocalizedText
  retry: 'same_card' | 'other_card' | 'later'
}

/** Does not reveal an issuer's suspicion. The bank informs its cardholder itself. */
const tryAgain: PayerAdvice = {
  payer: {
    tr: 'Kimliğiniz doğrulanamadı. Lütfen yeniden deneyin veya başka bir kart kullanın.',
    en: 'Your identity could not be verified. Please try again or use another card.',
  },
  retry: 'same_card',
}
const otherCard: PayerAdvice = {
  payer: {
    tr: 'Bu kartla devam edilemiyor. Lütfen başka bir kart kullanın veya bankanıza danışın.',
    en: 'This card cannot be used here. Please use another card or ask your bank.',
  },
  retry: 'other_card',
}
const checkCard: PayerAdvice = {
  payer: {
    tr: 'Lütfen kart bilgilerinizi kontrol edin.',
    en: 'Please check your card details.',
  },
  retry: 'same_card',
}
const bankBusy: PayerAdvice = {
  payer: {
    tr: 'Bankanız şu anda yanıt veremiyor. Lütfen biraz sonra yeniden deneyin.',
    en: 'Your bank cannot respond at the moment. Please try again in a little while.',
  },
  retry: 'later',
}
const tookLong: PayerAdvice = {
  payer: {
    tr: 'Doğrulama süresi doldu. Lütfen yeniden deneyin.',
    en: 'The verification timed out. Please try again.',
  },
  retry: 'same_card',
}
const wasCancelled: PayerAdvice = {
  payer: {
    tr: 'Doğrulama iptal edildi. Dilerseniz yeniden deneyebilirsiniz.',
    en: 'The verification was cancelled. You can try again.',
  },
  retry: 'same_card',
}

/** For operators the text in both languages, for payers the advice, by code. */
type FailureReasons = Readonly<Record<string, readonly [tr: string, en: string, advice: PayerAdvice]>>

/** Values of `transStatusReason`. Codes from 80 on depend on the directory server. */
export const statusReasons: FailureReasons = {
  '01': ['Kart doğrulaması başarısız oldu.', 'The authentication of the card failed.', tryAgain],
  '02': ['Cihaz tanınmıyor.', 'The device is unknown.', tryAgain],
  '03': ['Cihaz desteklenmiyor.', 'The device is not supported.', tryAgain],
  '04': ['Deneme sayısı sınırı aşıldı.', 'The limit of authentication attempts is exceeded.', otherCard],
  '05': ['Kartın süresi dolmuş.', 'The card has expired.', checkCard],
  '06': ['Kart numarası geçersiz.', 'The card number is invalid.', checkCard],
  '07': ['İşlem geçersiz.', 'The transaction is invalid.', otherCard],
  '08': ['Kart kaydı bulunamadı.', 'The issuer has no record of the card.', checkCard],
  '09': ['Güvenlik hatası.', 'A security check failed.', otherCard],
  '10': ['Kart çalıntı bildirilmiş.', 'The card was reported stolen.', otherCard],
  '11': ['Sahtecilik şüphesi.', 'Suspected fraud.', otherCard],
  '12': ['Kart hamilinin bu işleme izni yok.', 'Transaction not permitted to the cardholder.', otherCard],
  '13': ['Kart 3D Secure hizmetine kayıtlı değil.', 'The card is not enrolled in 3-D Secure.', otherCard],
  '14': ['ACS’de zaman aşımı oluştu.', 'The bank’s 3-D Secure server (ACS) timed out.', tookLong],
  '15': [
    'Doğrulama başarısız; bankanın kart hamiline güven düzeyi düşük.',
    'The authentication failed; the bank reports low confidence in the cardholder.',
    tryAgain,
  ],
  '16': [
    'Doğrulama başarısız; bankanın kart hamiline güven düzeyi orta.',
    'The authentication failed; the bank reports medium confidence in the cardholder.',
    tryAgain,
  ],
  '17': [
    'Bankanın kart hamiline güven düzeyi yüksek, ancak doğrulama başarısız.',
    'The authentication failed, although the bank reports high confidence in the cardholder.',
    tryAgain,
  ],
  '18': [
    'Bankanın kart hamiline güven düzeyi çok yüksek, ancak doğrulama başarısız.',
    'The authentication failed, although the bank reports very high confidence in the cardholder.',
    tryAgain,
  ],
  '19': [
    'ACS’nin doğrulama sınırı aşıldı.',
    'The bank’s 3-D Secure server (ACS) allows no further challenges.',
    otherCard,
  ],
  '20': ['Banka yalnızca ödemeleri doğruluyor.', 'The bank authenticates only payments.', otherCard],
  '21': [
    'Kart hamili olmadan başlatılan işlem (3RI) desteklenmiyor.',
    'Transactions without the cardholder (3RI) are not supported.',
    otherCard,
  ],
  '22': [
    'ACS teknik bir sorun yaşıyor.',
    'The bank’s 3-D Secure server (ACS) has a technical problem.',
    bankBusy,
  ],
  '23': [
    'ACS ayrık doğrulama istiyor, ancak istekte ayrık doğrulama yoktu.',
    'The bank requires decoupled authentication, which was not requested.',
    otherCard,
  ],
  '24': ['Ayrık doğrulama için verilen süre doldu.', 'Decoupled authentication timed out.', tookLong],
  '25': [
    'Ayrık doğrulama için verilen süre yetersiz.',
    'The time for decoupled authentication was too short.',
    tookLong,
  ],
  '26': [
    'Doğrulama denendi, ancak kart hamili doğrulamayı yapmadı.',
    'Authentication was attempted, but the cardholder did not perform it.',
    tryAgain,
  ],
}

/** Values of `challengeCancel`. */
export const cancelReasons: FailureReasons = {
  '01': ['Kart hamili doğrulamayı iptal etti.', 'The cardholder cancelled the challenge.', wasCancelled],
  '03': ['Ayrık doğrulamada zaman aşımı oluştu.', 'Decoupled authentication timed out.', tookLong],
  '04': ['Doğrulama sırasında ACS’de zaman aşımı oluştu.', 'The challenge timed out at the ACS.', tookLong],
  '05': [
    'Doğrulama sayfası hiç açılmadı: ACS’ye ilk CReq ulaşmadı.',
    'The challenge was never opened: the first CReq did not reach the ACS.',
    tookLong,
  ],
  '06': ['İşlemde hata oluştu.', 'A transaction error occurred.', tryAgain],
  '07': ['Neden bilinmiyor.', 'The reason is unknown.', tryAgain],
  '08': ['Uygulamada zaman aşımı oluştu.', 'The challenge timed out in the app.', tookLong],
}

export function reasonTextsOf(reasons: FailureReasons, code: string): FailureReasonTexts {
  const entry = Object.hasOwn(reasons, code) ? reasons[code] : undefined
  if (entry) return { operator: { tr: entry[0], en: entry[1] }, ...entry[2] }
  const shown = /^\d{2}$/.test(code) ? code : '??'
  return {
    operator: {
      tr: `Kartı veren bankanın neden kodu: ${shown}.`,
      en: `Reason code of the issuer: ${shown}.`,
    },
    ...tryAgain,
  }
}
