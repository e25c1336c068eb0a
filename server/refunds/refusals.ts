import type { Refusal } from '../kit/refusals.ts'

export const refundOpen: Refusal = {
  code: 930,
  status: 409,
  tr: 'Bu işlemin henüz sonuçlanmamış bir iade talebi var.',
  en: 'A refund of this transaction has not reached its outcome.',
  when: {
    tr: 'Aynı işlem için daha önce verilmiş bir iade talebi incelemede ya da bankadan yanıt bekliyor. Sonuçlanınca yeniden talep edilebilir.',
    en: 'An earlier refund of the same transaction is under review, or its bank is being asked. When it has its outcome, another can be asked for.',
  },
}

export const notRefundable: Refusal = {
  code: 931,
  status: 409,
  tr: 'Bu işlem iade edilebilecek durumda değil.',
  en: 'This transaction cannot be refunded as it stands.',
  when: {
    tr: 'İşlem ödenmemiş, başarısız olmuş, süresi dolmuş, kapatılmamış bir ön provizyon ya da tamamı iade edilmiş.',
    en: 'The transaction is unpaid, failed, expired, an unresolved pre-authorization, or nothing is left of it to refund.',
  },
}
