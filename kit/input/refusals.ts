import type { LocalizedText } from '../text/locale.ts'

/**
 * An error that a caller can get. It is declared once; routes list the ones they use, and the documents are
 * generated from it.
 */
export interface Refusal extends LocalizedText {
  /** `error_code` in the envelope. A code is never reused for another error. */
  code: number
  status: number
  /** Condition that causes it, for the documentation. */
  when: LocalizedText
}

/** Complaints by parameter name as the caller sent it: `metadata.0.key`. */
export type Complaints = Map<string, LocalizedText[]>

/** Thrown to refuse a request. One handler turns it into a response; a transaction around it rolls back. */
export class Refused extends Error {
  readonly refusal: Refusal
  readonly complaints: Complaints | undefined
  readonly retryAfterS: number | undefined
  /** Reason in this case, appended to the refusal's own message. */
  readonly because: LocalizedText | undefined

  constructor(
    refusal: Refusal,
    details: { complaints?: Complaints; retryAfterS?: number; because?: LocalizedText } = {},
  ) {
    // A refusal's stack trace is never read, and capturing it took longer than everything else.
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(refusal.en)
    Error.stackTraceLimit = stackTraceLimit
    this.name = 'Refused'
    this.refusal = refusal
    this.complaints = details.complaints
    this.retryAfterS = details.retryAfterS
    this.because = details.because
  }
}

/** Refuses one parameter of an otherwise readable request. */
export function invalidParameter(name: string, ...sentences: LocalizedText[]): Refused {
  return new Refused(validationFailed, { complaints: new Map([[name, sentences]]) })
}

export const unreadableRequest: Refusal = {
  code: 900,
  status: 400,
  tr: 'İstek okunamadı.',
  en: 'The request could not be read.',
  when: {
    tr: 'Gövde veya sorgu okunamıyor. Nedenleri: bozuk JSON, hatalı yüzde kodlaması, UTF-8 olmayan metin, çok derin iç içe yapı, form ve JSON dışında bir içerik türü.',
    en: 'The body or the query cannot be read. Causes: broken JSON, invalid percent-encoding, text that is not UTF-8, nesting that is too deep, a content type other than form or JSON.',
  },
}

export const bodyTooLarge: Refusal = {
  code: 900,
  status: 413,
  tr: 'İstek gövdesi çok büyük.',
  en: 'The request body is too large.',
  when: {
    tr: 'Gövde 256 KiB’den, bir görsel 512 KiB’den büyük.',
    en: 'The body is larger than 256 KiB, or an image larger than 512 KiB.',
  },
}

export const validationFailed: Refusal = {
  code: 901,
  status: 422,
  tr: 'Doğrulama hataları oluştu.',
  en: 'Validation errors occurred.',
  when: {
    tr: 'Bir veya daha fazla parametre hatalı. `errors`, bütün hatalı parametreleri mesajlarıyla birlikte bildirir.',
    en: 'One or more parameters are invalid. `errors` lists every invalid parameter with its messages.',
  },
}

export const unauthenticated: Refusal = {
  code: 910,
  status: 401,
  tr: 'Kimlik bilgisi eksik veya geçersiz. Anahtarınızla POST /v1/token/get-token çağrısından bir erişim belirteci alın.',
  en: 'The credential is missing or not valid. Get an access token from POST /v1/token/get-token with your key.',
  when: {
    tr: 'Kimlik bilgisi gönderilmemiş, birden fazla kez gönderilmiş, geçersiz veya iptal edilmiş. Mesaj, hangisi olduğunu bildirmez.',
    en: 'No credential was sent, more than one was sent, or the credential is not valid or was revoked. The message does not show which.',
  },
}

export const tokenExpired: Refusal = {
  code: 911,
  status: 401,
  tr: 'Erişim belirtecinin süresi doldu. Lütfen yeni bir belirteç alın.',
  en: 'The access token has expired. Please get a new one.',
  when: {
    tr: 'Erişim belirteci alınalı on dakikadan fazla oldu.',
    en: 'The access token is older than ten minutes.',
  },
}

export const notPermitted: Refusal = {
  code: 912,
  status: 403,
  tr: 'Bu anahtarın bu işlem için yetkisi yok.',
  en: 'This key does not permit this operation.',
  when: {
    tr: 'Şunlardan biri: açık anahtarla alınmış bir belirteç, 3DS ödeme başlatma dışında bir işlem için kullanıldı; canlı bir üye iş yerinin açık anahtarı, kayıtlı olmayan bir kökenden kullanıldı; 3D Secure ödeme almayan bir üye iş yeri için ödeme başlatılmak istendi.',
    en: 'One of these: a public-key token was used for something other than starting a 3DS payment; the public key of a live merchant was used from an origin that is not registered; a payment was started for a merchant that does not accept 3-D Secure payments.',
  },
}

export const merchantSuspended: Refusal = {
  code: 913,
  status: 403,
  tr: 'Üye iş yeri askıya alınmış.',
  en: 'The merchant is suspended.',
  when: {
    tr: 'Üye iş yeri askıya alınmış.',
    en: 'The merchant is suspended.',
  },
}

export const noSuchResource: Refusal = {
  code: 920,
  status: 404,
  tr: 'Kayıt bulunamadı.',
  en: 'There is no such resource.',
  when: {
    tr: 'Üye iş yerinin, adreste verilen numarayla bir kaydı yok. Numara başka bir üye iş yerinin kaydına aitse de yanıt aynıdır.',
    en: 'The merchant has no resource with the ID in the path. The response is the same for an ID of another merchant.',
  },
}

export const noSuchRoute: Refusal = {
  code: 921,
  status: 404,
  tr: 'Bu adreste bir uç nokta yok.',
  en: 'There is no endpoint at this address.',
  when: {
    tr: 'Adres hiçbir uç noktayla eşleşmiyor.',
    en: 'The path does not match any endpoint.',
  },
}

export const methodNotAllowed: Refusal = {
  code: 921,
  status: 405,
  tr: 'Bu adres bu yöntemle kullanılamaz.',
  en: 'This address does not accept this method.',
  when: {
    tr: 'Adres var, ancak bu yöntemi kabul etmiyor. `Allow` başlığı geçerli yöntemleri bildirir.',
    en: 'The path exists, but it does not accept this method. The `Allow` header lists the accepted methods.',
  },
}

export const idempotencyKeyInProgress: Refusal = {
  code: 950,
  status: 409,
  tr: 'Bu Idempotency-Key ile gönderilen bir istek şu anda işleniyor.',
  en: 'A request with this Idempotency-Key is still being processed.',
  when: {
    tr: 'Aynı `Idempotency-Key` ile gönderilen bir istek şu anda işleniyor. Biraz sonra yeniden deneyin; ilk isteğin yanıtı döner.',
    en: 'A request with the same `Idempotency-Key` is still being processed. Try again a little later to get the first response.',
  },
}

export const idempotencyKeyReused: Refusal = {
  code: 951,
  status: 422,
  tr: 'Bu Idempotency-Key başka bir istek için kullanılmış.',
  en: 'This Idempotency-Key was used for another request.',
  when: {
    tr: '`Idempotency-Key` son 24 saat içinde başka bir yöntem, adres veya gövdeyle kullanılmış.',
    en: 'The `Idempotency-Key` was used within the last 24 hours with another method, path or body.',
  },
}

export const rateLimited: Refusal = {
  code: 960,
  status: 429,
  tr: 'Çok fazla istek gönderildi. Lütfen biraz bekleyip yeniden deneyin.',
  en: 'Too many requests. Please wait a little and try again.',
  when: {
    tr: 'Anahtarla gönderilen istekler sınırı aştı ya da aynı IP adresinden çok sayıda geçersiz kimlik bilgisi geldi. `Retry-After`, kaç saniye beklenmesi gerektiğini bildirir.',
    en: 'The key has sent more requests than its limit allows, or the IP address has sent too many invalid credentials. `Retry-After` is the number of seconds to wait.',
  },
}

export const internalError: Refusal = {
  code: 990,
  status: 500,
  tr: 'Beklenmeyen bir hata oluştu. İstek numarası:',
  en: 'An unexpected error occurred. Request ID:',
  when: {
    tr: 'Hizmette beklenmeyen bir hata oluştu. Mesajda yalnızca istek numarası bulunur; lütfen bu numarayı hizmeti işletenlere bildirin.',
    en: 'An unexpected error in the service. The message contains only the request ID; please send it to the operator of the service.',
  },
}

export const serviceUnavailable: Refusal = {
  code: 991,
  status: 503,
  tr: 'Hizmet şu anda yanıt veremiyor. Lütfen biraz sonra yeniden deneyin.',
  en: 'The service is temporarily unavailable. Please try again shortly.',
  when: {
    tr: 'Şunlardan biri: veri tabanına ulaşılamıyor; hizmet aşırı yüklü; hizmet kapanıyor; hizmetin saati yanlış; istek zamanında tamamlanamadı. `Retry-After`, kaç saniye beklenmesi gerektiğini bildirir.',
    en: 'One of these: the database cannot be reached; the service is overloaded; the service is shutting down; its clock is wrong; the request did not finish in time. `Retry-After` is the number of seconds to wait.',
  },
}

export const commonRefusals: readonly Refusal[] = [
  unreadableRequest,
  bodyTooLarge,
  internalError,
  serviceUnavailable,
]

/** All refusals of the request pipeline; features declare their own. */
export const pipelineRefusals: readonly Refusal[] = [
  ...commonRefusals,
  validationFailed,
  unauthenticated,
  tokenExpired,
  notPermitted,
  merchantSuspended,
  noSuchResource,
  noSuchRoute,
  methodNotAllowed,
  idempotencyKeyInProgress,
  idempotencyKeyReused,
  rateLimited,
]
