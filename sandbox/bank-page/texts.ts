import type { LocalizedText } from '../../kit/text/locale.ts'

/** All texts of the bank's pages, for 3-D Secure and for NestPay. */
export const bankTexts = {
  stamp: { tr: 'Deneme', en: 'Test' },
  test: {
    tr: 'Deneme bankası; burada gerçek para çekilmez.',
    en: 'A bank for tests. No real money moves here.',
  },
  otherLanguage: { tr: 'English', en: 'Türkçe' },
  title: { tr: 'Ödemenizi onaylayın', en: 'Confirm your payment' },
  store: { tr: 'Mağaza', en: 'Store' },
  storeNumber: { tr: 'Mağaza no', en: 'Store no.' },
  amount: { tr: 'Tutar', en: 'Amount' },
  installments: { tr: 'Taksit', en: 'Installments' },
  card: { tr: 'Kart', en: 'Card' },
  date: { tr: 'Tarih', en: 'Date' },
  message: { tr: 'SMS kodunuz', en: 'Your SMS code' },
  code: { tr: 'Onay kodu', en: 'Confirmation code' },
  wrong: { tr: 'Kod hatalı. Kalan deneme hakkınız: ', en: 'That code is wrong. Tries left: ' },
  confirm: { tr: 'Onayla', en: 'Confirm' },
  cancel: { tr: 'Vazgeç', en: 'Cancel' },
  returning: { tr: 'Mağazaya dönülüyor', en: 'Taking you back to the store' },
  returningHint: {
    tr: 'Sayfa kendiliğinden ilerlemezse düğmeye basın.',
    en: 'If the page does not go on by itself, press the button.',
  },
  go: { tr: 'Devam et', en: 'Continue' },
  waiting: { tr: 'Bankanızdan yanıt bekleniyor', en: 'Waiting for your bank' },
  waitingHint: { tr: 'Lütfen bu sayfayı kapatmayın.', en: 'Please leave this page open.' },
  done: { tr: 'İşleminiz tamamlandı', en: 'All done' },
  doneHint: { tr: 'Bu sayfayı kapatabilirsiniz.', en: 'You may close this page.' },
  unknown: { tr: 'Bu işlem bulunamadı', en: 'There is no such payment' },
  unknownHint: {
    tr: 'Lütfen mağazanın sayfasına dönüp yeniden deneyin.',
    en: 'Please go back to the store and try again.',
  },
  here: { tr: 'Burası Sandbox Bank', en: 'This is Sandbox Bank' },
  hereHint: {
    tr: 'Ödemelerin denendiği bir bankadır. Buraya, öderken, mağazanın sayfasından gelinir; bu adreste açılacak bir sayfa yoktur.',
    en: 'It is a bank to try payments with. Payers are sent here by a store; there is nothing to open at this address.',
  },
  away: { tr: 'Banka şu anda yanıt veremiyor', en: 'The bank cannot answer right now' },
  awayHint: { tr: 'Lütfen biraz sonra yeniden deneyin.', en: 'Please try again in a little while.' },
} as const satisfies Record<string, LocalizedText>

export type BankTextName = keyof typeof bankTexts
