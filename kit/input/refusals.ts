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
    tr: 'Gövde veya sorgu okunamıyor: bozuk JSON, hatalı yüzde kodlaması, UTF-8 olmayan metin, fazla derin iç içe yapı veya form ve JSON dışında bir içerik türü.',
    en: 'The body or the query cannot be read: broken JSON, bad percent-encoding, not UTF-8, nested too deep, a content type other than form or JSON.',
  },
}

export const bodyTooLarge: Refusal = {
  code: 900,
  status: 413,
  tr: 'İstek gövdesi çok büyük.',
  en: 'The request body is too large.',
  when: {
    tr: 'Gövde 256 KiB’den büyük.',
    en: 'The body is larger than 256 KiB.',
  },
}

export const validationFailed: Refusal = {
  code: 901,
  status: 422,
  tr: 'Doğrulama hataları oluştu.',
  en: 'Validation errors occurred.',
  when: {
    tr: 'Bir veya daha fazla parametre hatalı. `errors`, hatalı parametrelerin tümünü iletileriyle birlikte tek seferde bildirir.',
    en: 'One or more parameters are wrong. `errors` maps each of them to its messages, all at once.',
  },
}

export const unauthenticated: Refusal = {
  code: 910,
  status: 401,
  tr: 'Kimlik bilgisi gönderilmedi veya geçerli değil. Erişim belirteci, anahtarınızla POST /v1/token/get-token çağrısından alınır.',
  en: 'The credential is missing or not valid. An access token comes from POST /v1/token/get-token, with your key.',
  when: {
    tr: 'Kimlik bilgisi gönderilmemiş, birden fazla kez gönderilmiş, geçersiz veya iptal edilmiş. Hangisi olduğu bildirilmez.',
    en: 'No credential was sent, more than one, or one that is not valid or was revoked. The text does not tell which.',
  },
}

export const tokenExpired: Refusal = {
  code: 911,
  status: 401,
  tr: 'Erişim belirtecinin süresi doldu. Lütfen yeni bir belirteç alınız.',
  en: 'The access token has expired. Please get a new one.',
  when: {
    tr: 'Erişim belirtecinin alınmasının üzerinden on dakika geçmiş.',
    en: 'The access token is older than ten minutes.',
  },
}

export const notPermitted: Refusal = {
  code: 912,
  status: 403,
  tr: 'Bu anahtarın bu işlem için yetkisi yok.',
  en: 'This key does not permit this operation.',
  when: {
    tr: 'Açık anahtarla alınmış belirteç, 3DS ödeme başlatma dışında bir işlem için kullanılmış; canlı bir üye iş yerinin açık anahtarı, kayıtlı olmayan bir kökenden kullanılmış; ya da 3-D Secure ödeme almayan bir üye iş yeri için ödeme başlatılmak istenmiş.',
    en: 'A public-key token was used for anything but starting a 3DS payment; or the public key of a live merchant from an origin that the merchant has not registered; or a payment was started for a merchant that takes no 3-D Secure payments.',
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
    tr: 'Üye iş yerinin adreste verilen numarayla bir kaydı yok. Numara başka bir üye iş yerinin kaydına ait olsa da yanıt tamamen aynıdır.',
    en: 'The merchant has no resource with the id in the path. Another merchant’s id answers exactly the same.',
  },
}

export const noSuchRoute: Refusal = {
  code: 921,
  status: 404,
  tr: 'Böyle bir adres yok.',
  en: 'There is no such address.',
  when: {
    tr: 'Bu adreste bir uç nokta yok.',
    en: 'No route has this path.',
  },
}

export const methodNotAllowed: Refusal = {
  code: 921,
  status: 405,
  tr: 'Bu adres bu yöntemle kullanılamaz.',
  en: 'This address does not take this method.',
  when: {
    tr: 'Adres var, ancak bu yöntemi kabul etmiyor. `Allow` geçerli yöntemleri bildirir.',
    en: 'The path is known, but not with this method. `Allow` names the ones it takes.',
  },
}

export const idempotencyKeyInProgress: Refusal = {
  code: 950,
  status: 409,
  tr: 'Aynı Idempotency-Key ile gönderilen istek şu anda işleniyor.',
  en: 'A request with this Idempotency-Key is being processed right now.',
  when: {
    tr: 'Aynı `Idempotency-Key` şu anda işleniyor. Biraz sonra yeniden denendiğinde ilk yanıt verilir.',
    en: 'The same `Idempotency-Key` is being processed at this moment. Trying again a little later gives the first answer.',
  },
}

export const idempotencyKeyReused: Refusal = {
  code: 951,
  status: 422,
  tr: 'Bu Idempotency-Key başka bir istek için kullanılmış.',
  en: 'This Idempotency-Key was used for another request.',
  when: {
    tr: '`Idempotency-Key` son 24 saat içinde başka bir yöntem, adres veya gövdeyle kullanılmış.',
    en: 'The `Idempotency-Key` was used in the last 24 hours with another method, path or body.',
  },
}

export const rateLimited: Refusal = {
  code: 960,
  status: 429,
  tr: 'Çok fazla istek gönderildi. Lütfen biraz bekleyip yeniden deneyiniz.',
  en: 'Too many requests. Please wait a little and try again.',
  when: {
    tr: 'Anahtarla gönderilen istekler sınırı aşmış ya da aynı adresten çok sayıda geçersiz kimlik bilgisi gelmiş. `Retry-After` kaç saniye bekleneceğini bildirir.',
    en: 'The key sends more requests than its limit, or the address sends too many bad credentials. `Retry-After` says how many seconds to wait.',
  },
}

export const internalError: Refusal = {
  code: 990,
  status: 500,
  tr: 'Beklenmeyen bir hata oluştu. İstek numarası:',
  en: 'Something went wrong on our side. Request id:',
  when: {
    tr: 'Hata bizden kaynaklanıyor. İletide yalnızca istek numarası bulunur; lütfen bu numarayı hizmeti işletenlere iletiniz.',
    en: 'A bug of ours. The message carries the request id and nothing else; please send it to whoever operates this service.',
  },
}

export const serviceUnavailable: Refusal = {
  code: 991,
  status: 503,
  tr: 'Hizmet şu anda yanıt veremiyor. Lütfen biraz sonra yeniden deneyiniz.',
  en: 'The service cannot answer right now. Please try again shortly.',
  when: {
    tr: 'Veri tabanına ulaşılamıyor; hizmet aşırı yüklü, kapanıyor veya saati yanlış ya da istek zamanında tamamlanamadı. `Retry-After`, kaç saniye beklenmesi gerektiğini bildirir.',
    en: 'The database is away, the service is overloaded or closing, its clock is wrong, or the request was not done in time. `Retry-After` says how many seconds to wait.',
  },
}

/** Refusals that every route may answer with. */
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
