import type { LocalizedText } from '../../../kit/text/locale.ts'

/** Texts that are on the page in every state. */
export const pageTexts = {
  title: { tr: 'Ödeme', en: 'Payment' },
  test: { tr: 'TEST', en: 'TEST' },
  testText: { tr: 'Gerçek para çekilmez', en: 'No real money moves' },
  order: { tr: 'Siparişiniz', en: 'Your order' },
  extra: { tr: 'Vade farkı', en: 'Installment charge' },
  total: { tr: 'Toplam', en: 'Total' },
  orderOpen: { tr: 'Ayrıntılar', en: 'Details' },
  orderClose: { tr: 'Gizle', en: 'Hide' },
  moreItems: { tr: '{count} ürün daha göster', en: 'Show {count} more items' },
  fewerItems: { tr: 'Daha az göster', en: 'Show fewer' },
  payer: { tr: 'İletişim bilgileri', en: 'Contact details' },
  name: { tr: 'Ad', en: 'First name' },
  lastname: { tr: 'Soyad', en: 'Last name' },
  email: { tr: 'E-posta', en: 'E-mail' },
  phone: { tr: 'Telefon', en: 'Phone' },
  phoneForm: { tr: 'örn. {example}', en: 'e.g. {example}' },
  country: { tr: 'Ülke', en: 'Country' },
  card: { tr: 'Kart bilgileri', en: 'Card details' },
  number: { tr: 'Kart numarası', en: 'Card number' },
  expiry: { tr: 'Son kullanma', en: 'Expiry date' },
  expiryForm: { tr: 'AA/YY', en: 'MM/YY' },
  cvc: { tr: 'Güvenlik kodu', en: 'Security code' },
  cvcForm: { tr: 'CVC', en: 'CVC' },
  cvcWhere: { tr: 'Güvenlik kodu nerede?', en: 'Where is the security code?' },
  cvcHelp: {
    tr: 'Çoğu kartta arka yüzdeki son 3 hane, American Express kartlarda ön yüzdeki 4 hane.',
    en: 'The last 3 digits on the back of most cards, the 4 digits on the front of American Express cards.',
  },
  holder: { tr: 'Kart üzerindeki ad soyad', en: 'Name on card' },
  installments: { tr: 'Taksit', en: 'Installments' },
  plansIdle: { tr: 'Kartınıza göre belirlenir', en: 'Depends on your card' },
  plansNone: { tr: 'Bu kartla yapılamıyor', en: 'Not for this card' },
  pay: { tr: '{amount} öde', en: 'Pay {amount}' },
  busy: { tr: 'Lütfen bekleyin', en: 'One moment, please' },
  holdHint: {
    tr: 'Tutar kartınızda bloke edilir, şimdi çekilmez.',
    en: 'The amount is held on your card, not charged now.',
  },
  secure: {
    tr: 'Kart bilgileriniz şifreli olarak iletilir, ödemeden sonra saklanmaz.',
    en: 'Card details are sent encrypted and are not stored after payment.',
  },
  securedBy: { tr: 'Vezne ile güvenli ödeme', en: 'Secure payment by Vezne' },
  testCards: { tr: 'Test kartları', en: 'Test cards' },
  expiresSoon: {
    tr: 'Bu sayfanın süresinin dolmasına {time} kaldı.',
    en: 'This page expires in {time}.',
  },
  expiresSaid: {
    tr: 'Bu sayfanın süresinin dolmasına {minutes} dakika kaldı.',
    en: 'This page expires in {minutes} min.',
  },
  language: { tr: 'Dil', en: 'Language' },
  copy: { tr: 'Numarayı kopyala', en: 'Copy ID' },
  copied: { tr: 'Kopyalandı', en: 'Copied' },
  print: { tr: 'Yazdır', en: 'Print' },
  save: { tr: 'İndir', en: 'Download' },
  notInvoice: {
    tr: 'Bu belge ödemenizi gösterir, fatura yerine geçmez.',
    en: 'This document shows your payment. It is not an invoice.',
  },
  questions: { tr: 'Sorularınız için:', en: 'Questions?' },
  receipt: { tr: 'Ödeme bilgileri', en: 'Payment details' },
  leaving: {
    tr: '{merchant} sitesine yönlendiriliyorsunuz…',
    en: 'Taking you back to {merchant}…',
  },
  goOn: { tr: 'Doğrulamaya devam et', en: 'Continue verification' },
  otherCard: { tr: 'Başka bir kartla öde', en: 'Pay with another card' },
  bankStep: { tr: 'Banka doğrulaması', en: 'Bank verification' },
  bankStepText: {
    tr: 'Bankanız, kartın size ait olduğunu doğrulamak istiyor.',
    en: 'Your bank wants to verify that the card is yours.',
  },
  bankPage: { tr: 'Bankanızın sayfası', en: 'Your bank’s page' },
  connecting: { tr: 'Bankanıza bağlanılıyor…', en: 'Connecting to your bank…' },
  waitingForBank: { tr: 'Bankanızdan onay bekleniyor…', en: 'Waiting for your bank’s approval…' },
  notSeen: { tr: 'Açılmadı mı?', en: 'Not opening?' },
  fullWindow: { tr: 'Tam pencerede aç', en: 'Open in full window' },
  anewInFullWindow: { tr: 'Tam pencerede yeniden başla', en: 'Restart in full window' },
  reload: { tr: 'Yenile', en: 'Reload' },
  back: { tr: '{merchant} sitesine dön', en: 'Return to {merchant}' },
  backToPage: { tr: 'Ödeme sayfasına dön', en: 'Return to the payment page' },
  transaction: { tr: 'İşlem numarası', en: 'Transaction ID' },
  noScript: {
    tr: 'Ödeme yapabilmek için tarayıcınızda JavaScript’i açın ve sayfayı yenileyin.',
    en: 'To pay, please turn JavaScript on in your browser and reload the page.',
  },
  offered: { tr: '{count} ödeme seçeneği var.', en: '{count} payment options.' },
  check: { tr: 'Lütfen kontrol edin: {fields}.', en: 'Please check: {fields}.' },
  noConnection: {
    tr: 'İnternet bağlantınız kesildi. Bağlantı gelince sayfa kaldığı yerden devam eder.',
    en: 'You are offline. This page continues when the connection is back.',
  },
  unreachable: {
    tr: 'Bağlantı kurulamadı. Lütfen bekleyin; kartınızdan para çekilip çekilmediği bu sayfada gösterilecek.',
    en: 'The connection failed. Please wait; this page will show whether you were charged.',
  },
  notArrived: {
    tr: 'Ödemeniz bize ulaşmadı, kartınızdan para çekilmedi. Yeniden deneyebilirsiniz.',
    en: 'Your payment did not reach us and nothing was charged. You can try again.',
  },
  limited: {
    tr: 'Çok fazla deneme yapıldı. Lütfen bir süre sonra yeniden deneyin.',
    en: 'Too many attempts. Please try again later.',
  },
  offerChanged: {
    tr: 'Ödeme seçenekleri değişti. Lütfen taksit seçiminizi yeniden yapın.',
    en: 'Your chosen option has changed. Please choose again.',
  },
  notTaken: {
    tr: 'Bu kartla şu anda ödeme alınamıyor. Lütfen başka bir kart deneyin.',
    en: 'This card cannot be used at the moment. Please try another card.',
  },
  cardAgain: {
    tr: 'Güvenliğiniz için kart bilgileri saklanmaz. Lütfen kartınızı yeniden girin.',
    en: 'For your security, card details are not stored. Please enter your card again.',
  },
} satisfies Record<string, LocalizedText>

/** Texts for the payment states. */
export const stateTexts = {
  asking: {
    title: { tr: 'Bankanızdan onay bekleniyor', en: 'Waiting for your bank’s approval' },
    text: {
      tr: 'Ödemenizin sonucu bekleniyor. Bu sayfayı kapatsanız bile kartınızdan en fazla bir kez çekim yapılır.',
      en: 'We are waiting for the result. You are charged at most once, even if you close this page.',
    },
  },
  paid: {
    title: { tr: 'Ödemeniz tamamlandı', en: 'Your payment is complete' },
    text: { tr: '{amount} tutarındaki ödemeniz alındı.', en: 'We received your payment of {amount}.' },
  },
  held: {
    title: { tr: 'Ön provizyon alındı', en: 'Your payment is authorized' },
    text: {
      tr: 'Kartınızdan {amount} tutarında ön provizyon alındı (bloke edildi). Henüz para çekilmedi.',
      en: '{amount} is held on your card. Nothing has been charged yet.',
    },
  },
  failed: {
    title: { tr: 'Ödeme tamamlanamadı', en: 'The payment was not completed' },
    text: {
      tr: 'Deneme hakkınız kalmadı. Kartınızdan para çekilmedi. Ödeme yapmak için satıcının sitesinden yeniden başlayın.',
      en: 'No attempts are left. Nothing was charged. To pay, please start again on the seller’s site.',
    },
  },
  expired: {
    title: { tr: 'Ödeme sayfasının süresi doldu', en: 'This payment page has expired' },
    text: {
      tr: 'Kartınızdan para çekilmedi. Ödeme yapmak için satıcının sitesinden yeniden başlayın.',
      en: 'Nothing was charged. To pay, please start again on the seller’s site.',
    },
  },
} satisfies Record<string, { title: LocalizedText; text: LocalizedText }>

/** Texts for payments that were refunded or released after the payment. */
export const refundedOrReleasedTexts = {
  refunded: {
    title: { tr: 'Ödemeniz iade edildi', en: 'Your payment was refunded' },
    text: {
      tr: '{amount} kartınıza iade edildi. İadenin kartınıza yansıması bankanıza göre birkaç gün sürebilir.',
      en: '{amount} was refunded to your card. Your bank may take a few days to show it.',
    },
  },
  partlyRefunded: {
    title: { tr: 'Ödemenizin bir kısmı iade edildi', en: 'Part of your payment was refunded' },
    text: {
      tr: '{amount} tutarındaki ödemenizin {part} tutarındaki kısmı kartınıza iade edildi. İadenin kartınıza yansıması bankanıza göre birkaç gün sürebilir.',
      en: '{part} of your payment of {amount} was refunded to your card. Your bank may take a few days to show it.',
    },
  },
  released: {
    title: { tr: 'Ön provizyon iptal edildi', en: 'The authorization was cancelled' },
    text: {
      tr: 'Kartınızdan para çekilmedi. {amount} tutarındaki blokenin kalkması bankanıza göre birkaç gün sürebilir.',
      en: 'Nothing was charged. Your bank may take a few days to release the {amount} hold.',
    },
  },
} satisfies Record<string, { title: LocalizedText; text: LocalizedText }>

/** Notices above the form. */
export const formNoticeTexts = {
  goOn: {
    tr: 'Bankanız doğrulamanızı bekliyor. Doğrulamaya devam edebilir veya başka bir kart deneyebilirsiniz.',
    en: 'Your bank is waiting for your verification. You can continue it or try another card.',
  },
  lastGoOn: {
    tr: 'Bankanız doğrulamanızı bekliyor. Bu, son deneme hakkınız.',
    en: 'Your bank is waiting for your verification. This is your last attempt.',
  },
  unfinished: {
    tr: 'Bankanızdaki doğrulama henüz tamamlanmadı. Bankanın sayfası açıksa oradan devam edin; değilse kart bilgilerinizi yeniden girin.',
    en: 'The verification at your bank is not complete. If the bank’s page is open, continue there; otherwise enter your card again.',
  },
  bankSays: { tr: 'Bankanızın mesajı: {text}', en: 'Message from your bank: {text}' },
  attemptsLeft: { tr: '{count} deneme hakkınız kaldı.', en: 'Attempts left: {count}.' },
} satisfies Record<string, LocalizedText>

/** Labels of a receipt. */
export const receiptLabels = {
  merchant: { tr: 'Satıcı', en: 'Seller' },
  paid: { tr: 'Tutar', en: 'Amount' },
  held: { tr: 'Ön provizyon tutarı', en: 'Amount held' },
  released: { tr: 'İptal edilen ön provizyon', en: 'Released hold' },
  refunded: { tr: 'İade edilen', en: 'Refunded' },
  installments: { tr: 'Taksit', en: 'Installments' },
  card: { tr: 'Kart', en: 'Card' },
  time: { tr: 'Tarih', en: 'Date' },
  id: { tr: 'İşlem numarası', en: 'Transaction ID' },
} satisfies Record<string, LocalizedText>

/** Texts of the installment plans. */
export const planTexts = {
  single: { tr: 'Tek çekim', en: 'Single payment' },
  count: { tr: '{count} taksit', en: '{count} installments' },
  sum: { tr: 'toplam {total}', en: 'total {total}' },
  first: { tr: 'ilk: {amount}', en: 'first: {amount}' },
  firstOnes: { tr: 'ilk {ones}: {amount}', en: 'first {ones}: {amount}' },
  last: { tr: 'son: {amount}', en: 'last: {amount}' },
  lastOnes: { tr: 'son {ones}: {amount}', en: 'last {ones}: {amount}' },
} satisfies Record<string, LocalizedText>

/** Errors of the card fields. */
export const cardFieldErrorTexts = {
  number: {
    tr: 'Kart numarasını kontrol edin.',
    en: 'Check the card number.',
  },
  noNumber: {
    tr: 'Kart numarasını girin.',
    en: 'Enter the card number.',
  },
  expiry: {
    tr: 'Tarihi kontrol edin.',
    en: 'Check the date.',
  },
  noExpiry: {
    tr: 'Tarihi girin.',
    en: 'Enter the date.',
  },
  expired: {
    tr: 'Kartın süresi geçmiş.',
    en: 'The card has expired.',
  },
  cvc: {
    tr: 'Kodu kontrol edin.',
    en: 'Check the code.',
  },
  noCvc: {
    tr: 'Kodu girin.',
    en: 'Enter the code.',
  },
  holder: {
    tr: 'Karttaki adı ve soyadı girin.',
    en: 'Enter the name on the card.',
  },
} satisfies Record<string, LocalizedText>

/** Errors of the payer fields. */
export const payerFieldErrorTexts = {
  name: {
    tr: 'Adınızı girin.',
    en: 'Enter your first name.',
  },
  lastname: {
    tr: 'Soyadınızı girin.',
    en: 'Enter your last name.',
  },
  email: {
    tr: 'E-posta adresinizi kontrol edin.',
    en: 'Check your e-mail address.',
  },
  noEmail: {
    tr: 'E-posta adresinizi girin.',
    en: 'Enter your e-mail address.',
  },
  phone: {
    tr: 'Telefon numaranızı kontrol edin.',
    en: 'Check your phone number.',
  },
  noPhone: {
    tr: 'Telefon numaranızı girin.',
    en: 'Enter your phone number.',
  },
  country: { tr: 'Ülkenizi seçin.', en: 'Choose your country.' },
} satisfies Record<string, LocalizedText>

/** Texts of error pages. */
export const errorPageTexts = {
  notFound: {
    title: { tr: 'Sayfa bulunamadı', en: 'Page not found' },
    text: {
      tr: 'Bu adreste bir ödeme sayfası yok. Lütfen size gönderilen bağlantının tamamını açtığınızdan emin olun.',
      en: 'There is no payment page at this address. Please make sure that you opened the complete link.',
    },
  },
  limited: {
    title: { tr: 'Çok fazla istek', en: 'Too many requests' },
    text: {
      tr: 'Bağlantınızdan kısa sürede çok fazla istek geldi. Lütfen birkaç saniye sonra sayfayı yenileyin.',
      en: 'Too many requests came from your connection. Please reload the page in a few seconds.',
    },
  },
  broken: {
    title: { tr: 'Şu anda yanıt veremiyoruz', en: 'We cannot respond at the moment' },
    text: {
      tr: 'Lütfen birazdan sayfayı yenileyin. Ödemeniz bir kereden fazla alınmaz.',
      en: 'Please reload the page in a moment. You are never charged more than once.',
    },
  },
} satisfies Record<string, { title: LocalizedText; text: LocalizedText }>

/** Inserts values into a sentence. Placeholders inside a value are not replaced. */
export function interpolate(sentence: string, values: Readonly<Record<string, string | number>>): string {
  return sentence.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
}
