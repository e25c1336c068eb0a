import type { Sentence } from '../kit/locale.ts'

/** What stands on the page, whatever has happened. */
export const words = {
  title: { tr: 'Ödeme', en: 'Payment' },
  test: { tr: 'TEST', en: 'TEST' },
  order: { tr: 'Siparişiniz', en: 'Your order' },
  extra: { tr: 'Vade farkı', en: 'Installment charge' },
  total: { tr: 'Toplam', en: 'Total' },
  card: { tr: 'Kart bilgileri', en: 'Card details' },
  number: { tr: 'Kart numarası', en: 'Card number' },
  expiry: { tr: 'Son kullanma (AA/YY)', en: 'Expiry date (MM/YY)' },
  cvc: { tr: 'Güvenlik kodu (CVC)', en: 'Security code (CVC)' },
  holder: { tr: 'Kart üzerindeki ad soyad', en: 'Name on card' },
  installments: { tr: 'Taksit', en: 'Installments' },
  pay: { tr: '{amount} öde', en: 'Pay {amount}' },
  busy: { tr: 'Lütfen bekleyin', en: 'One moment, please' },
  goOn: { tr: 'Doğrulamaya devam et', en: 'Continue with your bank’s verification' },
  otherCard: { tr: 'Başka bir kartla öde', en: 'Pay with another card' },
  bankStep: { tr: 'Banka doğrulaması', en: 'Bank verification' },
  bankStepText: {
    tr: 'Bankanız, kartın size ait olduğunu doğrulamak istiyor.',
    en: 'Your bank wants to make sure that the card is yours.',
  },
  connecting: { tr: 'Bankanıza bağlanılıyor…', en: 'Connecting to your bank…' },
  waitingForBank: { tr: 'Bankanızdan onay bekleniyor…', en: 'Waiting for your bank’s approval…' },
  notSeen: { tr: 'Bankanızın sayfası görünmüyor mu?', en: 'Don’t see your bank’s page?' },
  fullWindow: { tr: 'Tam pencerede aç', en: 'Open it in the full window' },
  reload: { tr: 'Sayfayı yenile', en: 'Reload the page' },
  back: { tr: '{merchant} sitesine dön', en: 'Return to {merchant}' },
  backToPage: { tr: 'Ödeme sayfasına dön', en: 'Return to the payment page' },
  transaction: { tr: 'İşlem numarası', en: 'Transaction ID' },
  noScript: {
    tr: 'Ödeme yapabilmek için tarayıcınızda JavaScript’i açın ve sayfayı yenileyin.',
    en: 'To pay, please turn JavaScript on in your browser and reload the page.',
  },
  unreachable: {
    tr: 'Bağlantı kurulamadı. Kartınızdan para çekilip çekilmediğini sayfa size gösterecek; lütfen bekleyin.',
    en: 'We could not be reached. The page will tell you whether anything was charged; please wait.',
  },
  notArrived: {
    tr: 'Ödemeniz bize ulaşmadı, kartınızdan para çekilmedi. Yeniden deneyebilirsiniz.',
    en: 'Your payment did not reach us, and nothing was charged. You can try again.',
  },
  limited: {
    tr: 'Çok fazla deneme yapıldı. Lütfen bir süre sonra yeniden deneyin.',
    en: 'There were too many attempts. Please try again after a while.',
  },
  offerChanged: {
    tr: 'Seçtiğiniz ödeme seçeneği değişti. Lütfen taksit seçiminizi yeniden yapın.',
    en: 'The option you chose has changed. Please choose again.',
  },
  notTaken: {
    tr: 'Bu kartla şu anda ödeme alınamıyor. Lütfen başka bir kart deneyin.',
    en: 'This card cannot be taken at the moment. Please try another card.',
  },
} satisfies Record<string, Sentence>

/** How a payment stands, to the payer. */
export const standings = {
  asking: {
    title: { tr: 'Bankanızdan onay bekleniyor', en: 'We are asking your bank' },
    text: {
      tr: 'Ödemenizin sonucu bekleniyor. Bu sayfayı kapatsanız bile kartınızdan en fazla bir kez çekim yapılır.',
      en: 'We are waiting for the outcome. You are charged once at most, even if you close this page.',
    },
  },
  paid: {
    title: { tr: 'Ödemeniz tamamlandı', en: 'Your payment is complete' },
    text: { tr: '{amount} tutarındaki ödemeniz alındı.', en: 'We received your payment of {amount}.' },
  },
  held: {
    title: { tr: 'Ön provizyon alındı', en: 'Your payment is authorized' },
    text: {
      tr: 'Kartınızda {amount} tutarında ön provizyon alındı (bloke edildi). Henüz para çekilmedi.',
      en: '{amount} is held on your card. Nothing has been charged yet.',
    },
  },
  failed: {
    title: { tr: 'Ödeme tamamlanamadı', en: 'The payment was not completed' },
    text: {
      tr: 'Deneme hakkınız kalmadı. Kartınızdan para çekilmedi.',
      en: 'There are no attempts left. Nothing was charged.',
    },
  },
  expired: {
    title: { tr: 'Ödeme sayfasının süresi doldu', en: 'This payment page has expired' },
    text: {
      tr: 'Kartınızdan para çekilmedi. Ödeme yapmak için satıcının sitesinden yeniden başlayın.',
      en: 'Nothing was charged. To pay, please start again at the seller’s site.',
    },
  },
} satisfies Record<string, { title: Sentence; text: Sentence }>

/** What is between the payer and the form. */
export const notices = {
  goOn: {
    tr: 'Bankanız doğrulamanızı bekliyor. Doğrulamaya devam edebilir veya başka bir kart deneyebilirsiniz.',
    en: 'Your bank is waiting for your verification. You can go on with it, or try another card.',
  },
  lastGoOn: {
    tr: 'Bankanız doğrulamanızı bekliyor. Bu, son deneme hakkınız.',
    en: 'Your bank is waiting for your verification. This is your last attempt.',
  },
  unfinished: {
    tr: 'Bankanızdaki doğrulama henüz tamamlanmadı. Bankanın sayfası açıksa oradan devam edin; değilse kart bilgilerinizi yeniden girin.',
    en: 'The verification at your bank is not complete. Go on there if the bank’s page is open; otherwise enter your card again.',
  },
  bankSays: { tr: 'Bankanızın mesajı: {text}', en: 'Your bank says: {text}' },
  attemptsLeft: { tr: '{count} deneme hakkınız kaldı.', en: 'Attempts left: {count}.' },
} satisfies Record<string, Sentence>

/** What a card can choose from. */
export const plans = {
  single: { tr: 'Tek çekim · {total}', en: 'Single payment · {total}' },
  several: { tr: '{count} taksit · {each}', en: '{count} installments · {each}' },
  sum: { tr: 'toplam {total}', en: 'total {total}' },
} satisfies Record<string, Sentence>

/** What is wrong with what was typed. */
export const faults = {
  number: {
    tr: 'Kart numarasını kontrol edin: kartın üzerindeki haneleri eksiksiz girin.',
    en: 'Check the card number: enter all digits as they are on the card.',
  },
  expiry: {
    tr: 'Son kullanma tarihini kartta yazdığı gibi, ay ve yıl olarak girin (AA/YY).',
    en: 'Enter the expiry date as on the card, month and year (MM/YY).',
  },
  expired: {
    tr: 'Kartın son kullanma tarihi geçmiş. Lütfen başka bir kart deneyin.',
    en: 'The card has expired. Please try another card.',
  },
  cvc: {
    tr: 'Güvenlik kodunu girin: çoğu kartta arka yüzdeki 3 hane, American Express kartlarda ön yüzdeki 4 hane.',
    en: 'Enter the security code: 3 digits on the back of most cards, 4 on the front of American Express cards.',
  },
  holder: {
    tr: 'Kartın üzerindeki adı ve soyadı girin (en fazla 100 karakter).',
    en: 'Enter the name on the card (at most 100 characters).',
  },
} satisfies Record<string, Sentence>

/** Pages that are nobody's. */
export const failures = {
  notFound: {
    title: { tr: 'Sayfa bulunamadı', en: 'Page not found' },
    text: {
      tr: 'Bu adreste bir ödeme sayfası yok. Lütfen size gönderilen bağlantının tamamını açtığınızdan emin olun.',
      en: 'There is no payment page at this address. Please make sure that you opened the whole link.',
    },
  },
  broken: {
    title: { tr: 'Şu anda yanıt veremiyoruz', en: 'We cannot answer at the moment' },
    text: {
      tr: 'Lütfen birazdan sayfayı yenileyin. Ödemeniz bir kereden fazla alınmaz.',
      en: 'Please reload the page in a moment. You are never charged more than once.',
    },
  },
} satisfies Record<string, { title: Sentence; text: Sentence }>

/** A sentence with the values put in. */
export function filled(sentence: string, values: Readonly<Record<string, string | number>>): string {
  return sentence.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
}
