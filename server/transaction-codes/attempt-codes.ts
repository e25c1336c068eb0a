import type { AbandonCode } from '../payments/index.ts'
import type { DeclineAdvice } from './decline-advice.ts'

/** Codes of attempts that ended before a bank was asked for money. `vezne payment show` prints them. */
export const attemptCodes: Readonly<Record<AbandonCode, DeclineAdvice>> = {
  superseded: {
    meaning: {
      tr: 'Ödeyen bu denemeyi bırakıp yeni bir deneme başlattı.',
      en: 'The payer left this attempt and started another attempt.',
    },
    action: { tr: 'Sonraki denemeye bakın.', en: 'See the next attempt.' },
    retry: 'same_card',
  },
  expired: {
    meaning: {
      tr: 'Ödeyen, ödeme sayfasının süresi dolmadan bankadan dönmedi.',
      en: 'The payer did not return from the bank before the payment page expired.',
    },
    action: { tr: 'Yeni bir ödeme başlatın.', en: 'Start a new payment.' },
    retry: 'same_card',
  },
  card_lost: {
    meaning: {
      tr: 'Şifreli kart bilgisi silinmiş veya açılamadı.',
      en: 'The encrypted card data was erased or could not be decrypted.',
    },
    action: { tr: 'Ödeyen kartı yeniden girebilir.', en: 'The payer can enter the card again.' },
    retry: 'same_card',
  },
  proof_lost: {
    meaning: {
      tr: '3D Secure doğrulamasının kanıtı okunamadı.',
      en: 'The proof of the 3-D Secure authentication could not be opened.',
    },
    action: { tr: 'Ödeyen kartı yeniden girebilir.', en: 'The payer can enter the card again.' },
    retry: 'same_card',
  },
  pos_unreachable: {
    meaning: {
      tr: 'POS kullanılamıyor: bilgileri eksik veya okunamıyor.',
      en: 'The POS is not usable: its data is incomplete or cannot be opened.',
    },
    action: { tr: 'POS’u kontrol edin: `vezne pos list`.', en: 'Check the POS: `vezne pos list`.' },
    retry: 'later',
  },
  not_asked: {
    meaning: {
      tr: 'Bankaya zamanında istek gönderilemedi.',
      en: 'No request was sent to the bank in time.',
    },
    action: { tr: 'Ödeyen yeniden deneyebilir.', en: 'The payer can try again.' },
    retry: 'same_card',
  },
  other_terms: {
    meaning: {
      tr: 'Doğrulanan tutar veya para birimi ödemeninkinden farklıydı.',
      en: 'The authenticated amount or currency differed from the charge.',
    },
    action: { tr: 'Bu bir hatadır; lütfen bildirin.', en: 'This is a bug; please report it.' },
    retry: 'same_card',
  },
  merchant_suspended: {
    meaning: { tr: 'Üye iş yeri askıya alınmıştı.', en: 'The merchant was suspended.' },
    action: {
      tr: 'Üye iş yerini yeniden etkinleştirin: `vezne merchant resume`.',
      en: 'Resume the merchant: `vezne merchant resume`.',
    },
    retry: 'later',
  },
}
