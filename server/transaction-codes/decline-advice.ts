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

const otherCardOrBank: LocalizedText = {
  tr: 'Ödeyenden başka bir kart kullanmasını veya bankasını aramasını isteyin.',
  en: 'Ask the payer to use another card or to call the bank.',
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
    meaning: { tr: 'Kartın bakiyesi veya limiti yetersiz.', en: 'The card lacks funds or limit.' },
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
      tr: 'Ödeyenden kart bilgilerini kontrol etmesini isteyin. Birçok kartta oluyorsa bankaya POS’un yetkilerini sorun.',
      en: 'Ask the payer to check the card details. If it happens with many cards, ask the bank what the POS may do.',
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
    meaning: { tr: 'Kart bu işleme kapalı.', en: 'The card may not be used for this payment.' },
    action: {
      tr: 'Ödeyenden kartı bankasında internet alışverişine açtırmasını veya başka bir kart kullanmasını isteyin.',
      en: 'Ask the payer to have the bank open the card to online payments, or to use another card.',
    },
    retry: 'other_card',
  },
  not_permitted_to_terminal: {
    meaning: { tr: 'POS bu işleme kapalı.', en: 'The POS may not do this transaction.' },
    action: {
      tr: 'Bankaya POS’un yetkilerini sorun: kart markası, para birimi, taksit, ön provizyon.',
      en: 'Ask the bank what the POS may do: card brands, currency, installments, pre-authorization.',
    },
    retry: 'other_card',
  },
  authentication_failed: {
    meaning: {
      tr: 'Banka 3D Secure doğrulamasını kabul etmedi.',
      en: 'The bank did not accept the 3-D Secure authentication.',
    },
    action: {
      tr: 'Ödeyenden yeniden denemesini isteyin.',
      en: 'Ask the payer to try again.',
    },
    retry: 'same_card',
  },
  duplicate_reference: {
    meaning: {
      tr: 'Bankada aynı referansla bir işlem var.',
      en: 'The bank already has a transaction with this reference.',
    },
    action: {
      tr: 'Bir şey yapmayın: Vezne ilk işlemin sonucunu bankaya sorar.',
      en: 'Do nothing: Vezne asks the bank for the outcome of the first transaction.',
    },
    retry: 'never',
  },
  nothing_to_undo: {
    meaning: {
      tr: 'Bankada kapatılacak, iptal veya iade edilecek bir işlem yok.',
      en: 'The bank has nothing to capture, release or refund.',
    },
    action: compareRecords,
    retry: 'never',
  },
  already_settled: {
    meaning: {
      tr: 'Bankada gün sonu alınmış: işlem iptal edilemez, iade edilebilir.',
      en: 'The bank’s day has ended: the charge can be refunded and not voided.',
    },
    action: {
      tr: 'Bir şey yapmayın: Vezne iptal yerine iade ister.',
      en: 'Do nothing: Vezne asks for a refund instead of a void.',
    },
    retry: 'never',
  },
  not_settled_yet: {
    meaning: {
      tr: 'Bankada gün sonu alınmamış: kısmi iade henüz yapılamaz.',
      en: 'The bank’s day has not ended: a part cannot be refunded yet.',
    },
    action: {
      tr: 'Bir şey yapmayın: Vezne gün sonundan sonra yeniden ister.',
      en: 'Do nothing: Vezne asks again after the end of the bank’s day.',
    },
    retry: 'later',
  },
  sums_differ: {
    meaning: {
      tr: 'Bankadaki iade toplamı kayıtlarımızdakinden farklı.',
      en: 'The bank’s sum of refunds differs from ours.',
    },
    action: compareRecords,
    retry: 'never',
  },
  bank_not_reached: {
    meaning: {
      tr: 'Bankaya ulaşılamadı; para çekilmedi.',
      en: 'The bank could not be reached; nothing was charged.',
    },
    action: {
      tr: 'Ödeyenden yeniden denemesini isteyin.',
      en: 'Ask the payer to try again.',
    },
    retry: 'same_card',
  },
  other: {
    meaning: {
      tr: 'Banka kendine özgü bir kodla reddetti.',
      en: 'The bank declined with a code of its own.',
    },
    action: {
      tr: 'Kodun anlamını bankaya sorun. Ödeyen başka bir kart deneyebilir.',
      en: 'Ask the bank for the meaning of the code. The payer can try another card.',
    },
    retry: 'other_card',
  },
}
