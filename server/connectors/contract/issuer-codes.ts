import type { DeclineCode, DeclineReason } from './contract.ts'

/** Response codes by which issuers decline, as ISO 8583 numbers them. Banks that pass them on share this table. */
export const issuerDeclineCodes: Readonly<Record<string, DeclineCode>> = {
  '01': declines('do_not_honour', 'Kart hamili bankasını aramalıdır.', 'Refer to the issuing bank.'),
  '02': declines(
    'do_not_honour',
    'Kart hamili bankasını aramalıdır (özel durum).',
    'Refer to the issuing bank, special condition.',
  ),
  '03': declines('not_permitted_to_terminal', 'Geçersiz üye iş yeri.', 'Invalid merchant.'),
  '04': declines(
    'pick_up_card',
    'Karta el konulmalıdır.',
    'The bank wants the card to be retained (pick up card).',
  ),
  '05': declines(
    'do_not_honour',
    'Banka işlemi onaylamadı.',
    'The bank declined without giving a reason (do not honour).',
  ),
  '07': declines(
    'pick_up_card',
    'Karta el konulmalıdır (özel durum).',
    'The bank wants the card to be retained (pick up card, special condition).',
  ),
  '12': declines('invalid_transaction', 'Geçersiz işlem.', 'Invalid transaction.'),
  '13': declines('invalid_transaction', 'Geçersiz tutar.', 'Invalid amount.'),
  '14': declines('invalid_transaction', 'Geçersiz kart numarası.', 'Invalid card number.'),
  '28': declines('do_not_honour', 'Banka işlemi reddetti.', 'The bank rejected the transaction.'),
  '30': declines('invalid_transaction', 'Mesaj biçimi hatalı.', 'Format error.'),
  '33': declines(
    'expired_card',
    'Kartın süresi dolmuş; karta el konulmalıdır.',
    'The card has expired, and the bank wants it to be retained.',
  ),
  '34': declines(
    'suspected_fraud',
    'Sahtecilik şüphesi; karta el konulmalıdır.',
    'Suspected fraud; the bank wants the card to be retained.',
  ),
  '36': declines(
    'not_permitted_to_holder',
    'Kısıtlı kart; karta el konulmalıdır.',
    'The card is restricted, and the bank wants it to be retained.',
  ),
  '41': declines('lost_card', 'Kayıp kart.', 'Lost card.'),
  '43': declines('stolen_card', 'Çalıntı kart.', 'Stolen card.'),
  '51': declines('insufficient_funds', 'Yetersiz bakiye veya limit.', 'Insufficient funds.'),
  '54': declines('expired_card', 'Kartın son kullanma tarihi geçmiş.', 'Expired card.'),
  '57': declines(
    'not_permitted_to_holder',
    'Kart bu işleme kapalı.',
    'Transaction not permitted to the cardholder.',
  ),
  '58': declines(
    'not_permitted_to_terminal',
    'POS bu işleme kapalı.',
    'Transaction not permitted to the terminal.',
  ),
  '59': declines('suspected_fraud', 'Sahtecilik şüphesi.', 'Suspected fraud.'),
  '61': declines('insufficient_funds', 'Kartın tutar sınırı aşıldı.', 'The card’s amount limit is exceeded.'),
  '62': declines('not_permitted_to_holder', 'Kısıtlı kart.', 'Restricted card.'),
  '65': declines(
    'not_permitted_to_holder',
    'Kartın işlem adedi sınırı aşıldı.',
    'The card’s transaction count limit is exceeded.',
  ),
  '77': declines('do_not_honour', 'Banka işlemi reddetti.', 'The bank rejected the transaction.'),
  '82': declines('wrong_cvc', 'Güvenlik kodu (CVC) hatalı.', 'Wrong security code (CVC).'),
}

/** One code of a bank with the reason it stands for and its meaning. */
export function declines(reason: DeclineReason, tr: string, en: string): DeclineCode {
  return { reason, meaning: { tr, en } }
}
