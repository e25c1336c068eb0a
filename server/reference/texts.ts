import type { Language, LocalizedText } from '../../kit/text/locale.ts'

/** All texts of the page itself. Texts about the API are in the document. */
export const pageTexts = {
  title: { tr: 'Vezne API referansı', en: 'Vezne API reference' },
  skip: { tr: 'İçeriğe geçin', en: 'Skip to content' },
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
  baseAddress: { tr: 'API adresi', en: 'Base address' },
  paths: {
    tr: 'Bütün yollar `/v1` ile başlar; büyük-küçük harf ayrımı yapılır.',
    en: 'All paths begin with `/v1` and are case-sensitive.',
  },
  machine: {
    tr: 'Aynı bilgiler OpenAPI 3.1 belgesi olarak da sunulur:',
    en: 'The same information is available as an OpenAPI 3.1 document:',
  },
  authentication: { tr: 'Kimlik doğrulama', en: 'Authentication' },
  authenticationText: {
    tr: 'Gizli anahtarınızla on dakika geçerli bir erişim belirteci alın ve diğer bütün çağrılarda bu belirteci gönderin. Gizli anahtar yalnızca kendi sunucunuzda bulunmalıdır. Açık anahtar bir web sayfasında bulunabilir; açık anahtarla yalnızca 3DS ödeme başlatılabilir.',
    en: 'Exchange your secret key for an access token that is valid for ten minutes, and send the token with every other call. Keep the secret key on your own server. A public key may be in a web page; it can only start 3DS payments.',
  },
  keyKinds: {
    tr: 'Test anahtarları `sk_test_` ve `pk_test_`, canlı anahtarlar `sk_live_` ve `pk_live_` ile başlar. Test anahtarlarıyla gerçek para hareket etmez.',
    en: 'Test keys begin with `sk_test_` and `pk_test_`, live keys with `sk_live_` and `pk_live_`. Test keys move no real money.',
  },
  conventions: { tr: 'Ortak kurallar', en: 'Conventions' },
  bodies: { tr: 'İstek gövdesi', en: 'Request bodies' },
  bodiesText: {
    tr: 'Gövde `application/x-www-form-urlencoded` veya `application/json` biçiminde gönderilebilir; ikisinin anlamı aynıdır. Formda listeler ve nesneler tek bir alanda JSON olarak da gönderilebilir.',
    en: 'A body can be `application/x-www-form-urlencoded` or `application/json`; both mean the same. In a form, lists and objects can also be sent as JSON in one field.',
  },
  amounts: { tr: 'Tutarlar, numaralar, tarihler', en: 'Amounts, IDs, times' },
  amountsText: {
    tr: 'Tutarlar, en küçük para birimi cinsinden (kuruş, sent) tam sayıdır: `1000`, 10,00 ₺ demektir. Kayıt numaraları 14 haneli tam sayıdır. Tarih ve saatler ISO 8601 biçiminde ve üye iş yerinin saat dilimindedir.',
    en: 'Amounts are integers in the minor unit: `1000` is ₺10.00. IDs are integers of 14 digits. Times are in ISO 8601 with the UTC offset of the merchant’s time zone.',
  },
  retries: { tr: 'Güvenle yeniden deneme', en: 'Safe retries' },
  retriesText: {
    tr: 'Kayıt oluşturan, değiştiren veya silen çağrılarla bir `Idempotency-Key` gönderin. Her işlem için rastgele bir UUID üretin ve yanıtı alana kadar saklayın. Yanıt alamazsanız aynı isteği 24 saat içinde aynı anahtarla yeniden gönderin: işlem tekrarlanmaz, ilk yanıt döner. Aynı anahtar başka bir istek için kullanılamaz (`951`).',
    en: 'Send an `Idempotency-Key` with every call that creates, changes or deletes something. Generate a random UUID for each operation and keep it until you have the response. If no response arrives, send the same request with the same key again within 24 hours: the operation is not repeated, and you get the first response. The key cannot be used for another request (`951`).',
  },
  changes: { tr: 'Değiştirme ve silme', en: 'Changing and clearing' },
  changesText: {
    tr: 'Bir kaydın adresine `POST` gönderdiğinizde yalnızca gönderdiğiniz alanlar değişir ve kaydın tamamı döner. İsteğe bağlı bir alanı boş veya `null` gönderirseniz alan silinir. Zorunlu bir alan silinemez (`901`).',
    en: '`POST` to the address of a record changes only the fields that you send and returns the whole record. An optional field that is sent empty or as `null` is cleared. A required field cannot be cleared (`901`).',
  },
  metadata: { tr: 'Ek veriler (metadata)', en: 'Metadata' },
  metadataText: {
    tr: 'Müşteri, ürün ve ödemelerle birlikte kendi bilgilerinizi `metadata` içinde saklayabilirsiniz: en fazla 50 çift; anahtarlar en fazla 40, değerler en fazla 500 karakter. Ödemelerde `metadata`, `key` ve `value` alanları olan öğelerden oluşan bir listedir. Değerler her zaman metin olarak döner. Bir değişiklikte gönderilen `metadata`, önceki çiftlerin tamamının yerine geçer; boş gönderilirse hepsi silinir.',
    en: 'Store your own key-value pairs with customers, products and payments in `metadata`: at most 50 pairs, keys of up to 40 and values of up to 500 characters. For payments, `metadata` is a list of items with `key` and `value`. Values are always returned as text. In a change, `metadata` replaces all previous pairs; sent empty, it removes them.',
  },
  searching: { tr: 'Arama ve listeleme', en: 'Searching and listing' },
  searchingText: {
    tr: 'Arama, bütün filtrelere uyan kayıtları en yeniden en eskiye doğru döndürür. Bütün kayıtları listelemek için filtresiz çağırın. Sözcükler başlarından eşleşir; büyük-küçük harf ve Türkçe harf ayrımı yapılmaz: `isik` araması `Işık` kaydını bulur. Bilinmeyen bir filtre reddedilir (`901`).',
    en: 'A search returns the records that match all filters, newest first. Call it without filters to list all records. Words match by their beginning; case and Turkish letters make no difference: `isik` finds `Işık`. An unknown filter is rejected (`901`).',
  },
  pages: { tr: 'Sayfalar', en: 'Pages' },
  pagesText: {
    tr: 'Bir sayfada `per_page` kadar kayıt bulunur: 1 ile 100 arasında, gönderilmezse 20. Sonraki sayfa için `Link` başlığındaki `rel="next"` adresini olduğu gibi çağırın; son sayfada bu başlık yoktur. `X-Total-Count`, bulunan kayıt sayısıdır: 1000’e kadar kesin, 1000’in üzerinde `1000+`.',
    en: 'A page has `per_page` records: 1 to 100, default 20. For the next page, call the `rel="next"` address of the `Link` header as it is; the last page has no such header. `X-Total-Count` is the number of records found: exact up to 1000, `1000+` above.',
  },
  languagesAndHelp: { tr: 'Diller ve yardım', en: 'Languages and help' },
  languagesAndHelpText: {
    tr: '`Accept-Language` yanıtların dilini belirler: `tr` veya `en`. Her yanıtta `X-Request-Id` başlığı bulunur; yardım isterken bu değeri belirtin.',
    en: '`Accept-Language` selects the language of responses: `tr` or `en`. Every response has an `X-Request-Id`; quote it when you ask for help.',
  },
  errors: { tr: 'Hatalar', en: 'Errors' },
  errorsText: {
    tr: 'Bütün hatalar aynı yapıda döner. Programınız `error_code` değerine göre karar versin; kullanıcıya `message` metnini gösterin. Bir kodun anlamı hiç değişmez; metin değişebilir.',
    en: 'All errors have the same structure. Let your program decide by `error_code`, and show `message` to the user. The meaning of a code never changes; the text can change.',
  },
  codes: { tr: 'İşlem kodları', en: 'Transaction codes' },
  codesText: {
    tr: '`transaction_code` bir ödemeye verilen son yanıtın kodudur: bankanın, 3D Secure doğrulamasının veya Vezne’nin yanıtı. Ödemenin sonucunu `transaction_status` gösterir. Bankalar burada olmayan kodlar da verebilir; tanımadığınız kodu ret sayın.',
    en: '`transaction_code` is the code of the last response to a payment: from the bank, from 3-D Secure, or from Vezne. `transaction_status` shows the outcome of the payment. Banks can return codes that are not listed here; treat an unknown code as a decline.',
  },
  codes_issuer: { tr: 'Kartı veren banka', en: 'Issuing bank' },
  codes_nestpay: { tr: 'NestPay kullanan bankalar', en: 'Banks on NestPay' },
  codes_three_ds_own: { tr: '3D Secure: bankadan yanıt yok', en: '3-D Secure: no response from the bank' },
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
  answer: { tr: 'Yanıt', en: 'Response' },
  answerFields: { tr: 'Yanıt alanları', en: 'Response fields' },
  answersOne: { tr: 'Döndürülen nesne:', en: 'Returns this object:' },
  answersList: { tr: 'Döndürülen listedeki nesneler:', en: 'Returns a list of these objects:' },
  answerHeaders: { tr: 'Yanıt başlıkları', en: 'Response headers' },
  messages: { tr: 'Webhook gönderimleri', en: 'Webhook deliveries' },
  messagesText: {
    tr: 'Her olay, türüne abone olan her webhook’un adresine imzalı bir `POST` isteğiyle gönderilir. Gövde, UTF-8 ile yazılmış JSON’dır.',
    en: 'Each event is sent as a signed `POST` request to the address of every webhook that is subscribed to its type. The body is JSON in UTF-8.',
  },
  messagesSignature: {
    tr: 'İmzayı, gövdeyi aldığınız hâliyle (bayt bayt) kullanarak doğrulayın; imzası doğru olmayan hiçbir isteği işlemeyin. İmza, Standard Webhooks kurallarına uyar: HMAC anahtarı, webhook’un imza anahtarında `whsec_` sonrasındaki kısmın base64 ile çözülmüş hâlidir.',
    en: 'Verify the signature over the exact bytes of the body, and ignore every request without a valid signature. The signature follows Standard Webhooks: the HMAC key is the part of the webhook’s secret after `whsec_`, decoded from base64.',
  },
  messagesAnswers: { tr: 'Yanıtınız', en: 'Your response' },
  messagesAnswersText: {
    tr: '15 saniye içinde 2xx ile yanıtlayın. Diğer bütün yanıtlar başarısız sayılır ve gönderim üç gün içinde en fazla on kez denenir; `410` webhook’u kapatır. Aynı olay birden fazla kez gelebilir: `webhook-id` değerine bakarak her olayı bir kez işleyin. Tanımadığınız türleri de 2xx ile yanıtlayın: ileride yeni türler eklenebilir.',
    en: 'Respond with 2xx within 15 seconds. Every other response is a failure, and the delivery is attempted up to ten times over three days; `410` disables the webhook. An event can arrive more than once: recognise it by its `webhook-id` and process it once. Respond with 2xx to unknown types too: new types can be added.',
  },
  messageKinds: { tr: 'Olay türleri', en: 'Event types' },
  messageBody: { tr: 'Gövde alanları', en: 'Body fields' },
  exampleHeaders: { tr: 'Örnek başlıklar', en: 'Example headers' },
  exampleBody: { tr: 'Örnek gövde', en: 'Example body' },
  required: { tr: 'zorunlu', en: 'required' },
  children: { tr: 'Alt alanlar', en: 'Child fields' },
  credentialKey: { tr: 'Gizli veya açık anahtar', en: 'Secret or public key' },
  credentialSecret: { tr: 'Gizli anahtarla alınmış belirteç', en: 'Token from a secret key' },
  credentialAny: { tr: 'Herhangi bir anahtarla alınmış belirteç', en: 'Token from any key' },
  exampleRequest: { tr: 'Örnek istek', en: 'Example request' },
  exampleAnswer: { tr: 'Örnek yanıt', en: 'Example response' },
  failure: { tr: 'Örnek hata', en: 'Example error' },
  values: { tr: 'Değerleri düzenleyin', en: 'Edit the values' },
  inPath: { tr: 'adreste', en: 'in the path' },
  inQuery: { tr: 'sorguda', en: 'in the query' },
  inBody: { tr: 'gövdede', en: 'in the body' },
  copy: { tr: 'Kopyala', en: 'Copy' },
  run: { tr: 'Çalıştır', en: 'Run' },
  tryIt: { tr: 'Deneyin', en: 'Try it' },
  tryText: {
    tr: 'Bir test anahtarı girin. Bu sayfadaki örnekler bu hizmette çalışır. Anahtar yalnızca bu sekmede tutulur.',
    en: 'Enter a test key. Every example on this page then runs against this service. The key is kept only in this tab.',
  },
  tryReadyText: {
    tr: 'Bu sayfadaki örnekleri çalıştırabilirsiniz; istekler bu hizmete gönderilir. Anahtar yalnızca bu sekmede tutulur.',
    en: 'You can run every example on this page; requests are sent to this service. The key is kept only in this tab.',
  },
  askText: {
    tr: 'Örneği çalıştırmak için bir test anahtarı girin. Anahtar yalnızca bu sekmede tutulur.',
    en: 'Enter a test key to run the example. The key is kept only in this tab.',
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
  answered: { tr: 'Yanıt', en: 'Response' },
  found: { tr: '{count} sonuç', en: '{count} results' },
  foundNothing: { tr: 'Sonuç yok. Başka bir sözcük deneyin.', en: 'No results. Try another word.' },
  ready: { tr: 'Hazır: {key}', en: 'Ready: {key}' },
  readyPublic: {
    tr: 'Hazır: {key}. Açık anahtarla yalnızca açık anahtarı kabul eden çağrılar çalıştırılabilir.',
    en: 'Ready: {key}. A public key can run only the calls that accept it.',
  },
  liveKey: {
    tr: 'Bu bir canlı anahtar. Örnekler gerçek kayıtlar oluşturur ve siler; bu nedenle burada yalnızca test anahtarı kullanılabilir.',
    en: 'This is a live key. Examples create and delete real records, so only test keys can be used here.',
  },
  strangeKey: {
    tr: 'Bu bir test anahtarına benzemiyor. Test anahtarları sk_test_ ile başlar.',
    en: 'This does not look like a test key. Test keys begin with sk_test_.',
  },
  publicKey: {
    tr: 'Bu çağrı için gizli anahtar gerekir; girdiğiniz anahtar açık anahtar.',
    en: 'This call needs a secret key; you entered a public key.',
  },
  fillFirst: { tr: 'Önce şu alanları doldurun: {names}.', en: 'Fill in first: {names}.' },
  makeFirst: {
    tr: 'Önce şu alanları doldurun: {names}. Bir oluşturma örneğini çalıştırdığınızda kendiliğinden dolar.',
    en: 'Fill in first: {names}. Running a “create” example fills it in automatically.',
  },
  noToken: { tr: 'Erişim belirteci alınamadı.', en: 'The access token could not be created.' },
  unreachable: {
    tr: 'Hizmete ulaşılamadı. Çalıştığından emin olup yeniden deneyin.',
    en: 'The service could not be reached. Make sure that it is running, and try again.',
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
  WebhookWithSecret: { tr: 'Webhook ve imza anahtarı', en: 'Webhook with its secret' },
  WebhookDelivery: { tr: 'Webhook gönderimi', en: 'Webhook delivery' },
  WebhookDeliveryAttempt: { tr: 'Gönderim denemesi', en: 'Delivery attempt' },
  ResentDeliveries: { tr: 'Yeniden gönderim sonucu', en: 'Resent deliveries' },
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
  TransactionResult: { tr: 'Ödeme olayları', en: 'Payment events' },
  TransactionResultWithRefund: { tr: 'İade olayları', en: 'Refund events' },
  TransactionResultWithDifference: { tr: 'Tutar farkı olayları', en: 'Amount difference events' },
  WebhookTest: { tr: 'Test gönderimi', en: 'Test deliveries' },
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
