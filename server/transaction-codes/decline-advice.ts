import type { LocalizedText } from '../../kit/text/locale.ts'
import type { DeclineReason } from '../connectors/index.ts'

/** The next try that makes sense after a failed attempt. */
export type RetryAdvice = 'same_card' | 'other_card' | 'later' | 'never'

/** Meaning of a failure, and advice for the merchant's staff. */
export interface DeclineAdvice {
  meaning: LocalizedText
  action: LocalizedText
  retry: RetryAdvice
}

export const otherCardOrBank: LocalizedText = {
  tr: 'Ödeyenden başka bir kart kullanmasını veya bankasını aramasını isteyin.',
  en: 'Ask the payer to use another card or to call the bank.',
}

export const anotherAttempt: LocalizedText = {
  tr: 'Ödeyenden yeniden denemesini isteyin.',
  en: 'Ask the payer to try again.',
}

const hiddenReason: LocalizedText = {
  tr: 'Nedeni ödeyene söylemeyin. Bu kartla yeniden denemeyin.',
  en: 'Do not tell the payer the reason. Do not try this card again.',
}

const compareRecords: LocalizedText = {
  tr: 'Ödemeyi bankanın kayıtlarıyla karşılaştırın: `vezne payment show`.',
  en: 'Compare the payment with the bank’s records: `vezne payment show`.',
}

/** Advice for each reason by which a bank declines. */
export const declineAdvice: Readonly<Record<DeclineReason, DeclineAdvice>> = {
  insufficient_funds: {
    meaning: {
      tr: 'Kartın bakiyesi veya limiti yetersiz.',
      en: 'The card does not have enough funds or limit.',
    },
    action: {
      tr: 'Ödeyenden başka bir kart kullanmasını isteyin.',
      en: 'Ask the payer to use another card.',
    },
    retry: 'other_card',
  },
  do_not_honour: {
    meaning: { tr: 'Banka neden belirtmeden reddetti.', en: 'The issuer declined without giving a reason.' },
    action: otherCardOrBank,
    retry: 'other_card',
  },
  invalid_transaction: {
    meaning: {
      tr: 'Banka işlemin bilgilerini geçersiz buldu.',
      en: 'The bank found the data of the transaction invalid.',
    },
    action: {
      tr: 'Tutarı kontrol edin ve ödeyenden kart bilgilerini kontrol etmesini isteyin. Birçok kartta oluyorsa POS’un yetkilerini bankaya sorun.',
      en: 'Check the amount, and ask the payer to check the card details. If this happens with many cards, ask the bank which transactions the POS is allowed to make.',
    },
    retry: 'same_card',
  },
  lost_card: {
    meaning: { tr: 'Kart kayıp bildirilmiş.', en: 'The card was reported lost.' },
    action: hiddenReason,
    retry: 'other_card',
  },
  stolen_card: {
    meaning: { tr: 'Kart çalıntı bildirilmiş.', en: 'The card was reported stolen.' },
    action: hiddenReason,
    retry: 'other_card',
  },
  pick_up_card: {
    meaning: { tr: 'Banka karta el konulmasını istiyor.', en: 'The issuer asks to pick up the card.' },
    action: hiddenReason,
    retry: 'other_card',
  },
  suspected_fraud: {
    meaning: { tr: 'Banka sahtecilikten şüpheleniyor.', en: 'The issuer suspects fraud.' },
    action: hiddenReason,
    retry: 'other_card',
  },
  expired_card: {
    meaning: {
      tr: 'Kartın süresi dolmuş veya son kullanma tarihi hatalı.',
      en: 'The card has expired, or its expiry date is wrong.',
    },
    action: {
      tr: 'Ödeyenden son kullanma tarihini kontrol etmesini isteyin.',
      en: 'Ask the payer to check the expiry date.',
    },
    retry: 'same_card',
  },
  wrong_cvc: {
    meaning: { tr: 'Güvenlik kodu (CVC) hatalı.', en: 'The security code (CVC) is wrong.' },
    action: {
      tr: 'Ödeyenden güvenlik kodunu kontrol etmesini isteyin.',
      en: 'Ask the payer to check the security code.',
    },
    retry: 'same_card',
  },
  not_permitted_to_holder: {
    meaning: { tr: 'Kart bu işleme kapalı.', en: 'The card cannot be used for this transaction.' },
    action: {
      tr: 'Ödeyenden başka bir kart kullanmasını veya bankasından kartın kısıtlamasını kaldırmasını istemesini rica edin.',
      en: 'Ask the payer to use another card, or to have the bank lift the restriction of the card.',
    },
    retry: 'other_card',
  },
  not_permitted_to_terminal: {
    meaning: { tr: 'POS bu işleme kapalı.', en: 'The POS is not allowed to make this transaction.' },
    action: {
      tr: 'POS’un yetkilerini bankaya sorun: kart markası, para birimi, taksit, ön provizyon.',
      en: 'Ask the bank which transactions the POS is allowed to make: card brands, currency, installments, pre-authorization.',
    },
    retry: 'other_card',
  },
  authentication_failed: {
    meaning: {
      tr: 'Banka 3D Secure doğrulamasını kabul etmedi.',
      en: 'The bank did not accept the 3-D Secure authentication.',
    },
    action: anotherAttempt,
    retry: 'same_card',
  },
  duplicate_reference: {
    meaning: {
      tr: 'Bankada aynı referansla bir işlem var.',
      en: 'The bank already has a transaction with this reference.',
    },
    action: {
      tr: 'Bir işlem yapmanız gerekmez: Vezne ilk işlemin sonucunu bankaya sorar.',
      en: 'No action is needed: Vezne asks the bank for the outcome of the first transaction.',
    },
    retry: 'never',
  },
  nothing_to_undo: {
    meaning: {
      tr: 'Bankada kapatılacak, iptal edilecek veya iade edilecek bir işlem yok.',
      en: 'The bank has nothing to capture, release or refund.',
    },
    action: compareRecords,
    retry: 'never',
  },
  already_settled: {
    meaning: {
      tr: 'Bankada gün sonu alınmış: işlem iptal edilemez, iade edilebilir.',
      en: 'The bank’s day has ended: the charge can be refunded but not voided.',
    },
    action: {
      tr: 'Bir işlem yapmanız gerekmez: Vezne iptal yerine iade gönderir.',
      en: 'No action is needed: Vezne requests a refund instead of a void.',
    },
    retry: 'never',
  },
  not_settled_yet: {
    meaning: {
      tr: 'Bankada gün sonu alınmamış: kısmi iade henüz yapılamaz.',
      en: 'The bank’s day has not ended: a partial refund is not possible yet.',
    },
    action: {
      tr: 'Bir işlem yapmanız gerekmez: Vezne iadeyi gün sonundan sonra yeniden gönderir.',
      en: 'No action is needed: Vezne requests the refund again after the end of the bank’s day.',
    },
    retry: 'later',
  },
  sums_differ: {
    meaning: {
      tr: 'Bankadaki iade toplamı kayıtlarımızdakinden farklı.',
      en: 'The bank’s total of refunds differs from our records.',
    },
    action: compareRecords,
    retry: 'never',
  },
  bank_not_reached: {
    meaning: {
      tr: 'Bankaya ulaşılamadı; para çekilmedi.',
      en: 'The bank could not be reached; nothing was charged.',
    },
    action: anotherAttempt,
    retry: 'same_card',
  },
  other: {
    meaning: {
      tr: 'Banka kendine özgü bir kodla reddetti.',
      en: 'The bank declined with its own code.',
    },
    action: {
      tr: 'Kodun anlamını bankaya sorun. Ödeyen başka bir kart deneyebilir.',
      en: 'Ask the bank for the meaning of the code. The payer can try another card.',
    },
    retry: 'other_card',
  },
}
