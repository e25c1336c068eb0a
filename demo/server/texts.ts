import type { LocalizedText } from '../../kit/text/locale.ts'

/** Texts of the shop's pages. */
export const pageTexts = {
  shop: { tr: 'Köşe Kahve', en: 'Corner Coffee' },
  title: { tr: 'Köşe Kahve · Vezne demo mağazası', en: 'Corner Coffee · the Vezne demo shop' },
  isDemo: { tr: 'Demo mağaza, para çekilmez', en: 'A demo shop, no money moves' },
  language: { tr: 'Dil', en: 'Language' },
  heading: { tr: 'Kahve molası için', en: 'For a coffee break' },
  about: {
    tr: 'Sepete bir şey koyun ve test kartıyla ödeyin. Arkada ne olduğu canlı akışta görünür.',
    en: 'Put something into the basket and pay with a test card. The live feed shows what happens behind.',
  },
  less: { tr: 'Azalt', en: 'One less' },
  more: { tr: 'Artır', en: 'One more' },
  basket: { tr: 'Sepet', en: 'Basket' },
  emptyBasket: { tr: 'Sepetiniz boş.', en: 'Your basket is empty.' },
  total: { tr: 'Toplam', en: 'Total' },
  where: { tr: 'Nerede ödensin?', en: 'Where to pay?' },
  inFrame: { tr: 'Bu sayfada', en: 'In this page' },
  byRedirect: { tr: 'Ödeme sayfasında', en: 'Payment page' },
  cheat: { tr: 'Hile yap: tarayıcı 1,00 ₺ desin', en: 'Cheat: let the browser say ₺1.00' },
  cheatAbout: {
    tr: 'Ödeme geçer, sunucunun denetimi geçmez.',
    en: 'The payment passes; the check on the server does not.',
  },
  goOn: { tr: 'Ödemeye geç', en: 'Go to payment' },
  back: { tr: 'Sepete dön', en: 'Back to the basket' },
  payment: { tr: 'Ödeme', en: 'Payment' },
  order: { tr: 'Sipariş', en: 'Order' },
  cards: { tr: 'Test kartları', en: 'Test cards' },
  cardsAbout: {
    tr: 'İleri bir son kullanma tarihi ve herhangi bir güvenlik kodu ile.',
    en: 'With any later month and any security code.',
  },
  copy: { tr: 'Kopyala', en: 'Copy' },
  how: { tr: 'Nasıl çalışır?', en: 'How it works' },
  howBrowser: {
    tr: 'Tarayıcıda bu kadarı yeter. Kart bilgisi mağazaya hiç uğramaz.',
    en: 'This is all that the browser needs. Card data never reaches the shop.',
  },
  howServer: {
    tr: 'Tarayıcının sözü bir ipucudur. Sunucu, işlemi gizli anahtarla kendisi sorar; tutarı, siparişi ve durumu karşılaştırır.',
    en: 'What the browser says is a hint. The server asks for the transaction itself, with the secret key, and compares amount, order and status.',
  },
  reference: { tr: 'API başvurusu', en: 'API reference' },
  quickStart: { tr: 'Hızlı başlangıç', en: 'Quick start' },
  ownCode: { tr: 'Bu mağazanın kodu', en: 'The code of this shop' },
  live: { tr: 'Canlı akış', en: 'Live feed' },
  clear: { tr: 'Temizle', en: 'Clear' },
  liveEmpty: {
    tr: 'Henüz bir şey olmadı. Ödemeye geçtiğinizde istekler, olaylar ve webhook burada sıralanır.',
    en: 'Nothing has happened yet. Once you go to payment, requests, events and the webhook line up here.',
  },
  noScript: {
    tr: 'Bu mağaza JavaScript ile çalışır.',
    en: 'This shop needs JavaScript.',
  },
  notFound: { tr: 'Böyle bir sayfa yok', en: 'There is no such page' },
  failed: { tr: 'Bir şeyler ters gitti', en: 'Something went wrong' },
  toShop: { tr: 'Mağazaya dön', en: 'Back to the shop' },
} as const satisfies Record<string, LocalizedText>

/** Texts of the page's script. */
export const scriptTexts = {
  cannotOrder: {
    tr: 'Sipariş oluşturulamadı. Lütfen yeniden deneyin.',
    en: 'The order could not be made. Please try again.',
  },
  noElement: {
    tr: 'Ödeme bileşeni yüklenemedi. Ödeme sayfasının çalıştığından emin olun.',
    en: 'The payment element could not be loaded. Make sure that the payment page is running.',
  },
  checking: { tr: 'Sunucu Vezne’ye soruyor…', en: 'The server is asking Vezne…' },
  compared: { tr: 'Sunucunun karşılaştırdığı', en: 'What the server compared' },
  ours: { tr: 'Mağaza', en: 'Shop' },
  theirs: { tr: 'Vezne', en: 'Vezne' },
  same: { tr: 'aynı', en: 'the same' },
  differs: { tr: 'farklı', en: 'differs' },
  webhookCame: { tr: 'Webhook da geldi, imzası doğru.', en: 'The webhook came as well, rightly signed.' },
  webhookDue: { tr: 'Webhook bekleniyor…', en: 'The webhook is on its way…' },
  again: { tr: 'Yeni sipariş', en: 'New order' },
  copied: { tr: 'Kopyalandı', en: 'Copied' },
  kinds: {
    browser: { tr: 'Tarayıcı', en: 'Browser' },
    element: { tr: 'Bileşen', en: 'Element' },
    server: { tr: 'Sunucu', en: 'Server' },
    event: { tr: 'Olay', en: 'Event' },
    webhook: { tr: 'Webhook', en: 'Webhook' },
  },
  signatureRight: { tr: 'imza doğru', en: 'signature right' },
  signatureWrong: { tr: 'imza yanlış', en: 'signature wrong' },
  known: { tr: 'biliniyordu', en: 'known already' },
  noAnswer: { tr: 'yanıt yok', en: 'no answer' },
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
