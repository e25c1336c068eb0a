import type { Language, LocalizedText } from '../../kit/text/locale.ts'

/** All texts of the page itself. Texts about the API are in the document. */
export const pageTexts = {
  title: { tr: 'Vezne API referansı', en: 'Vezne API reference' },
  skip: { tr: 'İçeriğe geçin', en: 'Skip to the content' },
  contents: { tr: 'İçindekiler', en: 'Contents' },
  menu: { tr: 'Menü', en: 'Menu' },
  languages: { tr: 'Dil', en: 'Language' },
  search: {
    tr: 'Uç nokta, parametre veya hata kodu arayın',
    en: 'Search endpoints, parameters and error codes',
  },
  searchHint: { tr: 'Arayın', en: 'Search' },
  start: { tr: 'Başlarken', en: 'Getting started' },
  introduction: { tr: 'Giriş', en: 'Introduction' },
  baseAddress: { tr: 'Temel adres', en: 'Base address' },
  paths: {
    tr: 'Bütün adresler `/v1` ile başlar ve harfi harfine karşılaştırılır.',
    en: 'All paths begin with `/v1` and are compared to the letter.',
  },
  machine: {
    tr: 'Aynı bilgiler makineler için bir OpenAPI 3.1 belgesinde de vardır:',
    en: 'The same for machines is an OpenAPI 3.1 document:',
  },
  authentication: { tr: 'Kimlik doğrulama', en: 'Authentication' },
  authenticationText: {
    tr: 'Gizli anahtarınızla on dakika geçerli bir erişim belirteci alın ve diğer bütün çağrılarda bu belirteci gönderin. Gizli anahtar yalnızca kendi sunucunuzda bulunmalıdır; açık anahtar bir web sayfasında yer alabilir ve onunla yalnızca 3DS ödeme başlatılabilir.',
    en: 'Exchange your secret key for an access token of ten minutes, and send that token with every other call. A secret key stays on your own server; a public key may be in a web page and can start 3DS payments only.',
  },
  keyKinds: {
    tr: 'Test anahtarları `sk_test_` ve `pk_test_`, canlı anahtarlar `sk_live_` ve `pk_live_` ile başlar. Test anahtarlarıyla gerçek para hareket etmez.',
    en: 'Test keys begin with `sk_test_` and `pk_test_`, live keys with `sk_live_` and `pk_live_`. With test keys no real money moves.',
  },
  conventions: { tr: 'Ortak kurallar', en: 'Conventions' },
  bodies: { tr: 'Gövdeler', en: 'Bodies' },
  bodiesText: {
    tr: 'Gövde `application/x-www-form-urlencoded` veya `application/json` olabilir; anlamları aynıdır. Listeler ve nesneler formda tek bir alanda JSON olarak da gönderilebilir.',
    en: 'A body is `application/x-www-form-urlencoded` or `application/json`; both mean the same. In a form, lists and objects may also be sent as JSON in one field.',
  },
  amounts: { tr: 'Tutarlar, numaralar, tarihler', en: 'Amounts, ids, times' },
  amountsText: {
    tr: 'Tutarlar en küçük para birimi cinsinden (kuruş, sent) tam sayıdır: `1000`, 10,00 ₺ demektir. Kayıt numaraları 14 haneli tam sayılardır. Tarih ve saatler ISO 8601 biçiminde ve üye iş yerinin saat dilimindedir.',
    en: 'Amounts are integers in the minor unit: `1000` is ₺10.00. Ids are integers of 14 digits. Times are ISO 8601 with the offset of the merchant’s time zone.',
  },
  retries: { tr: 'Güvenle yeniden deneme', en: 'Safe retries' },
  retriesText: {
    tr: 'Kayıt oluşturan, değiştiren veya silen çağrılarla bir `Idempotency-Key` gönderin: her işlem için rastgele bir UUID üretin ve yanıtı alana kadar saklayın. Yanıt alamazsanız aynı isteği 24 saat içinde aynı anahtarla yeniden gönderin: işlem tekrarlanmaz, ilk yanıt verilir. Aynı anahtarla başka bir istek gönderilemez (`951`).',
    en: 'Send an `Idempotency-Key` with every call that writes: a random UUID for each thing that you want done, kept until you have the answer. If no answer comes, send the same request with the same key again within 24 hours: nothing is done twice, and you get the first answer. The key cannot be used for another request (`951`).',
  },
  changes: { tr: 'Değiştirme ve boşaltma', en: 'Changing and clearing' },
  changesText: {
    tr: 'Bir kaydın adresine `POST` gönderdiğinizde yalnızca gönderdiğiniz alanlar değişir ve kaydın tamamı döner. Boş veya `null` gönderdiğiniz isteğe bağlı alan boşaltılır. Zorunlu bir alan boşaltılamaz (`901`).',
    en: '`POST` to the address of a record changes the fields that you send, and answers the whole record. An optional field that you send blank, or as `null`, is cleared. One that the record cannot be without is refused (`901`).',
  },
  metadata: { tr: 'Ek veriler (metadata)', en: 'Metadata' },
  metadataText: {
    tr: 'Müşterilerin, ürünlerin ve ödemelerin yanında `metadata` ile kendi bilgilerinizi saklayabilirsiniz: en fazla 50 çift, 40 karaktere kadar ad, 500 karaktere kadar değer. Ödemelerde `key` ve `value` alanları olan bir listedir. Değerler her zaman metin olarak döner. Bir değişiklikte gönderdiğiniz `metadata` öncekilerin tümünün yerine geçer; boş gönderirseniz hepsi silinir.',
    en: 'Keep pairs of your own with customers, products and payments in `metadata`: at most 50, with keys of up to 40 and values of up to 500 characters. Of payments it is a list of `key` and `value`. Values always come back as text. Sent in a change, it replaces all pairs that were there; sent empty, it removes them.',
  },
  searching: { tr: 'Arama ve listeleme', en: 'Searching and listing' },
  searchingText: {
    tr: 'Arama, verilen filtrelerin hepsine uyan kayıtları en yenisinden başlayarak döndürür; listelemek için filtresiz çağırın. Sözcükler başlarından, büyük-küçük harf ve Türkçe harf ayrımı olmadan eşleşir: `isik` ile `Işık` bulunur. Bilinmeyen bir filtre reddedilir (`901`).',
    en: 'A search answers what fits all the filters given, newest first; to list, call it without filters. Words match by their beginnings, without regard to case or Turkish letters: `isik` finds `Işık`. An unknown filter is refused (`901`).',
  },
  pages: { tr: 'Sayfalar', en: 'Pages' },
  pagesText: {
    tr: 'Bir sayfada `per_page` kadar kayıt bulunur: 1 ile 100 arasında, belirtilmezse 20. Sonraki sayfa için `Link` başlığındaki `rel="next"` adresini olduğu gibi çağırın; son sayfada bu başlık yoktur. `X-Total-Count` bulunan kayıt sayısıdır: 1000’e kadar kesin, üzerinde `1000+`.',
    en: 'A page has `per_page` records: 1 to 100, 20 if you do not say. For the next page, call the `rel="next"` address of the `Link` header as it is; the last page has none. `X-Total-Count` says how many were found: exact up to 1000, `1000+` above.',
  },
  languagesAndHelp: { tr: 'Diller ve yardım', en: 'Languages and help' },
  languagesAndHelpText: {
    tr: '`Accept-Language` yanıtların dilini belirler: `tr` veya `en`. Her yanıtta `X-Request-Id` bulunur; yardım isterken bu değeri belirtin.',
    en: '`Accept-Language` chooses the language of answers: `tr` or `en`. Every answer has an `X-Request-Id`; quote it when you ask for help.',
  },
  errors: { tr: 'Hatalar', en: 'Errors' },
  errorsText: {
    tr: 'Bütün hatalar aynı yapıda bildirilir. Kodunuzda `error_code` değerine göre karar verin, kullanıcıya `message` metnini gösterin. Bir kodun anlamı hiç değişmez; metin değişebilir.',
    en: 'Every failure is answered in the same envelope. Decide by `error_code`, show `message`. A code never changes its meaning; the text may.',
  },
  codes: { tr: 'İşlem kodları', en: 'Transaction codes' },
  codesText: {
    tr: '`transaction_code` bir ödemeye verilen son yanıttır: bankanın, 3D Secure doğrulamasının veya Vezne’nin yanıtı. Ödemenin sonucunu `transaction_status` gösterir. Bankalar burada olmayan kodlar da verebilir; tanımadığınız kodu ret sayın.',
    en: '`transaction_code` is the last answer to a payment: of the bank, of 3-D Secure, or of Vezne. `transaction_status` shows the outcome of the payment. Banks can answer codes that are not listed here; treat an unknown code as a decline.',
  },
  codes_issuer: { tr: 'Kartı veren banka', en: 'Issuing bank' },
  codes_nestpay: { tr: 'NestPay kullanan bankalar', en: 'Banks on NestPay' },
  codes_three_ds_own: { tr: '3D Secure: bankadan yanıt yok', en: '3-D Secure: no answer of the bank' },
  codes_three_ds_status: { tr: '3D Secure: durum', en: '3-D Secure: status' },
  codes_three_ds_reason: { tr: '3D Secure: neden', en: '3-D Secure: reason' },
  codes_bank_page: { tr: 'Bankanın kendi 3D Secure sayfası', en: '3-D Secure on the bank’s own page' },
  codes_vezne: { tr: 'Vezne', en: 'Vezne' },
  codes_sandbox: { tr: 'Sandbox bankası', en: 'The sandbox bank' },
  meaning: { tr: 'Anlamı ve yapılacak', en: 'Meaning and what to do' },
  tryAgain: { tr: 'Yeniden deneme', en: 'Try again' },
  status: { tr: 'HTTP', en: 'HTTP' },
  code: { tr: 'Kod', en: 'Code' },
  when: { tr: 'Ne zaman', en: 'When' },
  resourceFields: { tr: 'Alanlar', en: 'Fields' },
  pathParameters: { tr: 'Adres parametreleri', en: 'Path parameters' },
  queryParameters: { tr: 'Sorgu parametreleri', en: 'Query parameters' },
  bodyParameters: { tr: 'Gövde parametreleri', en: 'Body parameters' },
  headers: { tr: 'HTTP başlıkları', en: 'Headers' },
  answer: { tr: 'Yanıt', en: 'Answer' },
  answerFields: { tr: 'Yanıt alanları', en: 'Fields of the answer' },
  answersOne: { tr: 'Döndürülen nesne:', en: 'Answers this object:' },
  answersList: { tr: 'Döndürülen listedeki nesneler:', en: 'Answers a list of these objects:' },
  answerHeaders: { tr: 'Yanıt başlıkları', en: 'Headers of the answer' },
  messages: { tr: 'Webhook’a gönderilenler', en: 'What is sent' },
  messagesText: {
    tr: 'Her olay, türünü dinleyen her webhook’un adresine imzalı bir `POST` isteğiyle gönderilir. Gövde UTF-8 ile yazılmış JSON’dır.',
    en: 'Each event is sent as a signed `POST` to the address of every webhook that hears of its kind. The body is JSON in UTF-8.',
  },
  messagesSignature: {
    tr: 'İmzayı, gövdeyi aldığınız hâliyle kullanarak doğrulayın; imzası doğru olmayan hiçbir isteği işlemeyin. İmza Standard Webhooks kurallarına uyar: HMAC anahtarı, webhook’un imza anahtarının `whsec_` sonrasındaki kısmının base64 ile çözülmüş hâlidir.',
    en: 'Verify the signature over the body as it came, to the byte, and take nothing that is not signed. It follows Standard Webhooks: the key of the HMAC is what stands behind `whsec_` in the webhook’s secret, decoded from base64.',
  },
  messagesAnswers: { tr: 'Yanıtınız', en: 'Your answer' },
  messagesAnswersText: {
    tr: '15 saniye içinde 2xx ile yanıtlayın. Diğer her yanıt başarısız sayılır ve olay üç gün içinde en fazla on kez denenir; `410` webhook’u kapatır. Aynı olay birden fazla kez gelebilir; `webhook-id` değerine bakarak bir kez işleyin. Tanımadığınız türleri de 2xx ile yanıtlayın: ileride yenileri eklenebilir.',
    en: 'Answer 2xx within 15 seconds. Every other answer is a failure, and the event is tried up to ten times over three days; `410` disables the webhook. An event may come more than once: know it by its `webhook-id`, and handle it once. Answer 2xx to kinds that you do not know, too: more may come.',
  },
  messageKinds: { tr: 'Türler', en: 'Kinds' },
  messageBody: { tr: 'Gövde alanları', en: 'Fields of the body' },
  exampleHeaders: { tr: 'Örnek başlıklar', en: 'Example headers' },
  exampleBody: { tr: 'Örnek gövde', en: 'Example body' },
  required: { tr: 'zorunlu', en: 'required' },
  children: { tr: 'İç alanlar', en: 'Inner fields' },
  credentialKey: { tr: 'Gizli veya açık anahtar', en: 'Secret or public key' },
  credentialSecret: { tr: 'Gizli anahtarla alınmış belirteç', en: 'Token of a secret key' },
  credentialAny: { tr: 'Herhangi bir anahtarla alınmış belirteç', en: 'Token of any key' },
  exampleRequest: { tr: 'Örnek istek', en: 'Example request' },
  exampleAnswer: { tr: 'Örnek yanıt', en: 'Example answer' },
  failure: { tr: 'Örnek hata', en: 'Example failure' },
  values: { tr: 'Değerleri düzenleyin', en: 'Edit the values' },
  inPath: { tr: 'adreste', en: 'in the path' },
  inQuery: { tr: 'sorguda', en: 'in the query' },
  inBody: { tr: 'gövdede', en: 'in the body' },
  copy: { tr: 'Kopyala', en: 'Copy' },
  run: { tr: 'Çalıştır', en: 'Run' },
  tryIt: { tr: 'Deneyin', en: 'Try it' },
  tryText: {
    tr: 'Bir test anahtarı girin; bu sayfadaki örnekler bu hizmet üzerinde gerçekten çalışır. Anahtar yalnızca bu sekmede tutulur.',
    en: 'Enter a test key, and every example on this page runs against the real service. The key is kept in this tab only.',
  },
  tryReadyText: {
    tr: 'Bu sayfadaki örnekleri çalıştırabilirsiniz; istekler bu hizmete gerçekten gönderilir. Anahtar yalnızca bu sekmede tutulur.',
    en: 'Run any example on this page: it is sent to the real service. The key is kept in this tab only.',
  },
  askText: {
    tr: 'Çalıştırmak için bir test anahtarı girin. Anahtar yalnızca bu sekmede tutulur.',
    en: 'To run it, enter a test key. It is kept in this tab only.',
  },
  useKeyAndRun: { tr: 'Kullan ve çalıştır', en: 'Use and run' },
  testKey: { tr: 'Gizli test anahtarı', en: 'Test secret key' },
  useKey: { tr: 'Kullan', en: 'Use' },
  forgetKey: { tr: 'Unut', en: 'Forget' },
} satisfies Record<string, LocalizedText>

/** Texts of the page's script. */
export const scriptTexts = {
  copied: { tr: 'Kopyalandı', en: 'Copied' },
  running: { tr: 'Gönderiliyor…', en: 'Sending…' },
  took: { tr: '{ms} ms', en: '{ms} ms' },
  answered: { tr: 'Yanıt', en: 'Answer' },
  found: { tr: '{count} sonuç', en: '{count} results' },
  foundNothing: { tr: 'Sonuç yok. Başka bir sözcük deneyin.', en: 'Nothing found. Try another word.' },
  ready: { tr: 'Hazır: {key}', en: 'Ready: {key}' },
  readyPublic: {
    tr: 'Hazır: {key}. Açık anahtarla yalnızca ona açık olan çağrılar çalıştırılabilir.',
    en: 'Ready: {key}. A public key can run only the calls that are open to it.',
  },
  liveKey: {
    tr: 'Bu bir canlı anahtar. Örnekler gerçek kayıtlar oluşturup siler; bu yüzden burada yalnızca test anahtarı kullanılabilir.',
    en: 'This is a live key. Examples create and delete real records, so only test keys can be used here.',
  },
  strangeKey: {
    tr: 'Bu bir test anahtarına benzemiyor. Test anahtarları sk_test_ ile başlar.',
    en: 'This does not look like a test key. Test keys begin with sk_test_.',
  },
  publicKey: {
    tr: 'Bu çağrı bir gizli anahtar ister; girdiğiniz anahtar açık.',
    en: 'This call needs a secret key; the one you entered is public.',
  },
  fillFirst: { tr: 'Önce şunu doldurun: {names}.', en: 'Fill this in first: {names}.' },
  makeFirst: {
    tr: 'Önce şunu doldurun: {names}. Bir oluşturma örneğini çalıştırdığınızda kendiliğinden dolar.',
    en: 'Fill this in first: {names}. Running an example that creates one fills it by itself.',
  },
  noToken: { tr: 'Erişim belirteci alınamadı.', en: 'No access token could be had.' },
  unreachable: {
    tr: 'Hizmete ulaşılamadı. Çalıştığından emin olup yeniden deneyin.',
    en: 'The service could not be reached. Make sure that it runs, and try again.',
  },
} satisfies Record<string, LocalizedText>

/** Titles of the API's subjects, by the first path segment after the version. */
const subjects: Record<string, LocalizedText> = {
  token: { tr: 'Erişim belirteçleri', en: 'Access tokens' },
  customers: { tr: 'Müşteriler', en: 'Customers' },
  products: { tr: 'Ürünler', en: 'Products' },
  payment: { tr: 'Ödemeler', en: 'Payments' },
  transaction: { tr: 'İşlemler', en: 'Transactions' },
  balance: { tr: 'Bakiye', en: 'Balance' },
  pos: { tr: 'Sanal POS', en: 'Virtual POS' },
  'bin-lookup': { tr: 'BIN sorgulama', en: 'BIN lookup' },
  webhooks: { tr: 'Webhook’lar', en: 'Webhooks' },
  events: { tr: 'Olaylar', en: 'Events' },
}

/** A subject without a title is shown by its name. */
export function tagTitle(tag: string, language: Language): string {
  return subjects[tag]?.[language] ?? tag.charAt(0).toUpperCase() + tag.slice(1)
}

/** Titles of the API's resources, by schema name. */
const resources: Record<string, LocalizedText> = {
  AccessToken: { tr: 'Erişim belirteci', en: 'Access token' },
  Customer: { tr: 'Müşteri', en: 'Customer' },
  Product: { tr: 'Ürün', en: 'Product' },
  StartedPayment: { tr: 'Başlatılan ödeme', en: 'Started payment' },
  TransactionResult: { tr: 'İşlem sonucu', en: 'Transaction result' },
  Refund: { tr: 'İade talebi', en: 'Refund' },
  Balance: { tr: 'Bakiye', en: 'Balance' },
  BalanceTransfer: { tr: 'Bakiye hareketi', en: 'Balance transfer' },
  Event: { tr: 'Olay', en: 'Event' },
  Webhook: { tr: 'Webhook adresi', en: 'Webhook' },
  WebhookWithSecret: { tr: 'Webhook adresi ve imza anahtarı', en: 'Webhook with its secret' },
  WebhookDelivery: { tr: 'Gönderim', en: 'Delivery' },
  WebhookDeliveryAttempt: { tr: 'Gönderim denemesi', en: 'Delivery attempt' },
  ResentDeliveries: { tr: 'Yeniden gönderilenler', en: 'Resent deliveries' },
  Commission: { tr: 'Komisyon oranı', en: 'Commission rate' },
  PosCredential: { tr: 'POS', en: 'POS' },
  CardFamily: { tr: 'Kart ailesi', en: 'Card family' },
  CardSegmentType: { tr: 'Kart segmenti', en: 'Card segment' },
  BinLookup: { tr: 'BIN sorgu sonucu', en: 'BIN lookup result' },
}

/** A resource without a title is shown by its name. */
export function resourceTitle(name: string, language: Language): string {
  return resources[name]?.[language] ?? name
}

/** Heading of the section about a resource. */
export function objectTitle(name: string, language: Language): string {
  const title = resourceTitle(name, language)
  return { tr: `${title} nesnesi`, en: `${title} object` }[language]
}

/** Titles of webhook messages, by the kind of their `data`. */
const messageGroups: Record<string, LocalizedText> = {
  TransactionResult: { tr: 'Ödeme olayları', en: 'Events of payments' },
  TransactionResultWithRefund: { tr: 'İade olayları', en: 'Events of refunds' },
  WebhookTest: { tr: 'Test gönderimi', en: 'Tests' },
}

export function webhookGroupTitle(data: string, language: Language): string {
  return messageGroups[data]?.[language] ?? data
}

export type TextLookup = (word: keyof typeof pageTexts) => string

export function textLookup(language: Language): TextLookup {
  return (word) => pageTexts[word][language]
}

/** Limits of a value, in words. */
export const limitTexts = {
  atMostCharacters: (max: number): LocalizedText => ({
    tr: `en fazla ${max} karakter`,
    en: `at most ${max} characters`,
  }),
  between: (min: number, max: number): LocalizedText => ({
    tr: `\`${min}\` ile \`${max}\` arasında`,
    en: `\`${min}\` to \`${max}\``,
  }),
  digits: (count: number): LocalizedText => ({ tr: `${count} haneli`, en: `${count} digits` }),
  atMostItems: (max: number): LocalizedText => ({ tr: `en fazla ${max} öğe`, en: `at most ${max} items` }),
  oneOf: (values: string): LocalizedText => ({ tr: `şunlardan biri: ${values}`, en: `one of ${values}` }),
}
