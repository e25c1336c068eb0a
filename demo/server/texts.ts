import type { LocalizedText } from '../../kit/text/locale.ts'

/** Name of the shop in both languages. The demo merchant of the service has the same name. */
const shopName = 'Köşe Kahve'

/** Texts of the shop's pages. */
export const pageTexts = {
  shop: { tr: shopName, en: shopName },
  title: { tr: `${shopName} · Vezne demo mağazası`, en: `${shopName} · the Vezne demo shop` },
  isDemo: { tr: 'Demo mağaza, gerçek para çekilmez', en: 'Demo shop, no real money moves' },
  language: { tr: 'Dil', en: 'Language' },
  heading: { tr: 'Kahve molası için', en: 'For a coffee break' },
  about: {
    tr: 'Sepete bir ürün ekleyin ve test kartıyla ödeyin. Arka planda olanları canlı akışta görebilirsiniz.',
    en: 'Add something to the basket and pay with a test card. The live feed shows what happens behind the scenes.',
  },
  less: { tr: 'Azalt', en: 'One less' },
  more: { tr: 'Artır', en: 'One more' },
  basket: { tr: 'Sepet', en: 'Basket' },
  emptyBasket: { tr: 'Sepetiniz boş.', en: 'Your basket is empty.' },
  total: { tr: 'Toplam', en: 'Total' },
  payHere: { tr: 'Bu sayfada öde', en: 'Pay on this page' },
  payThere: { tr: 'Ödeme sayfasında öde', en: 'Pay on the payment page' },
  cheat: { tr: 'Hile yap: tarayıcı 1,00 ₺ göndersin', en: 'Cheat: let the browser send ₺1.00' },
  cheatAbout: {
    tr: 'Yalnızca bu sayfada. Ödeme onaylanır, sunucunun kontrolü hatayı bulur.',
    en: 'On this page only. The payment succeeds; the server’s check catches it.',
  },
  back: { tr: 'Sepete dön', en: 'Back to the basket' },
  payment: { tr: 'Ödeme', en: 'Payment' },
  order: { tr: 'Sipariş', en: 'Order' },
  cards: { tr: 'Test kartları', en: 'Test cards' },
  cardsAbout: {
    tr: 'Gelecekteki herhangi bir son kullanma tarihini ve herhangi bir güvenlik kodunu girin.',
    en: 'Use any future expiry date and any security code.',
  },
  copy: { tr: 'Kopyala', en: 'Copy' },
  how: { tr: 'Nasıl çalışır?', en: 'How it works' },
  howBrowser: {
    tr: 'Tarayıcı için bu kod yeterlidir. Kart bilgileri mağazaya hiç ulaşmaz.',
    en: 'The browser needs only this code. Card data never reaches the shop.',
  },
  howServer: {
    tr: 'Tarayıcıdan gelen sonuç yalnızca bir ipucudur. Sunucu, işlemi gizli anahtarla kendisi sorgular; tutarı, siparişi ve durumu karşılaştırır.',
    en: 'The browser’s result is only a hint. The server reads the transaction with the secret key and compares the amount, the order and the status.',
  },
  reference: { tr: 'API referansı', en: 'API reference' },
  quickStart: { tr: 'Hızlı başlangıç', en: 'Quick start' },
  ownCode: { tr: 'Bu mağazanın kodu', en: 'Code of this shop' },
  live: { tr: 'Canlı akış', en: 'Live feed' },
  clear: { tr: 'Temizle', en: 'Clear' },
  liveEmpty: {
    tr: 'Henüz bir kayıt yok. Ödeme yaptığınızda istekler, olaylar ve webhook’lar burada görünür. Yalnızca sizin ödemeleriniz gösterilir.',
    en: 'Nothing yet. When you pay, the requests, events and webhooks appear here. Only your own payments are shown.',
  },
  noScript: {
    tr: 'Sepet ve ödeme için JavaScript gerekir. Lütfen tarayıcınızda açıp sayfayı yenileyin.',
    en: 'The basket and the payment need JavaScript. Please turn it on in your browser and reload the page.',
  },
  notFound: { tr: 'Sayfa bulunamadı', en: 'Page not found' },
  failed: { tr: 'Bir hata oluştu', en: 'Something went wrong' },
  toShop: { tr: 'Mağazaya dön', en: 'Back to the shop' },
} as const satisfies Record<string, LocalizedText>

/** Texts of the page's script. */
export const scriptTexts = {
  cannotOrder: {
    tr: 'Sipariş oluşturulamadı. Lütfen yeniden deneyin.',
    en: 'The order could not be created. Please try again.',
  },
  noElement: {
    tr: 'Ödeme bileşeni yüklenemedi. Ödeme sayfasının çalıştığından emin olun.',
    en: 'The payment element could not be loaded. Make sure that the payment page is running.',
  },
  checking: {
    tr: 'Sunucu, işlemi Vezne’den sorguluyor…',
    en: 'The server is reading the transaction from Vezne…',
  },
  compared: { tr: 'Sunucunun karşılaştırdığı değerler', en: 'Values the server compared' },
  ours: { tr: 'Mağaza', en: 'Shop' },
  theirs: { tr: 'Vezne', en: 'Vezne' },
  same: { tr: 'aynı', en: 'same' },
  differs: { tr: 'farklı', en: 'different' },
  webhookCame: {
    tr: 'Webhook da ulaştı, imzası doğru.',
    en: 'The webhook arrived too, and its signature is valid.',
  },
  webhookDue: { tr: 'Webhook bekleniyor…', en: 'Waiting for the webhook…' },
  again: { tr: 'Yeni sipariş', en: 'New order' },
  copied: { tr: 'Kopyalandı', en: 'Copied' },
  kinds: {
    browser: { tr: 'Tarayıcı', en: 'Browser' },
    element: { tr: 'Bileşen', en: 'Element' },
    server: { tr: 'Sunucu', en: 'Server' },
    event: { tr: 'Olay', en: 'Event' },
    webhook: { tr: 'Webhook', en: 'Webhook' },
  },
  signatureValid: { tr: 'imza doğru', en: 'signature valid' },
  known: { tr: 'daha önce alındı', en: 'already received' },
  noAnswer: { tr: 'yanıt yok', en: 'no response' },
  toApi: { tr: 'API', en: 'API' },
  toShop: { tr: 'mağaza', en: 'shop' },
} as const

/** A tree of texts in one language, for the page's script. */
export function textsInLanguage(tree: object, language: 'tr' | 'en'): unknown {
  if ('tr' in tree && 'en' in tree) return (tree as LocalizedText)[language]
  return Object.fromEntries(
    Object.entries(tree).map(([name, each]) => [name, textsInLanguage(each, language)]),
  )
}
