import type { LocalizedText } from '../../kit/text/locale.ts'

/** All texts of the bank's pages, for 3-D Secure and for NestPay. */
export const bankTexts = {
  stamp: { tr: 'Deneme', en: 'Test' },
  test: {
    tr: 'Bu bir deneme bankasıdır. Burada gerçek para çekilmez.',
    en: 'This is a test bank. No real money moves here.',
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
  wrong: { tr: 'Kod hatalı. Kalan deneme hakkınız: ', en: 'The code is wrong. Attempts left: ' },
  confirm: { tr: 'Onayla', en: 'Confirm' },
  cancel: { tr: 'Vazgeç', en: 'Cancel' },
  returning: { tr: 'Mağazaya dönülüyor', en: 'Taking you back to the store' },
  returningHint: {
    tr: 'Sayfa kendiliğinden ilerlemezse lütfen düğmeye basın.',
    en: 'If the page does not continue automatically, press the button.',
  },
  go: { tr: 'Devam et', en: 'Continue' },
  waiting: { tr: 'Bankanızdan yanıt bekleniyor', en: 'Waiting for your bank' },
  waitingHint: { tr: 'Lütfen bu sayfayı kapatmayın.', en: 'Please do not close this page.' },
  done: { tr: 'İşleminiz tamamlandı', en: 'Your transaction is complete' },
  doneHint: { tr: 'Bu sayfayı kapatabilirsiniz.', en: 'You can close this page.' },
  unknown: { tr: 'Bu işlem bulunamadı', en: 'Payment not found' },
  unknownHint: {
    tr: 'Lütfen mağazanın sayfasına dönüp yeniden deneyin.',
    en: 'Please go back to the store and try again.',
  },
  here: { tr: 'Burası Sandbox Bank', en: 'This is Sandbox Bank' },
  hereHint: {
    tr: 'Bu, ödemelerin denendiği bir bankadır. Ödeme sırasında mağaza sizi buraya yönlendirir. Bu adreste doğrudan açılacak bir sayfa yoktur.',
    en: 'This is a bank for test payments. A store sends payers here. There is no page to open at this address.',
  },
  away: { tr: 'Banka şu anda yanıt veremiyor', en: 'The bank cannot answer right now' },
  awayHint: { tr: 'Lütfen biraz sonra yeniden deneyin.', en: 'Please try again shortly.' },
} as const satisfies Record<string, LocalizedText>

export type BankTextName = keyof typeof bankTexts
