import { isRecord } from './call-api.ts'
import type { Language, Sentence } from './texts.ts'
import { languageInTag } from './texts.ts'
import { VezneError } from './vezne-error.ts'
import { webAddress } from './web-address.ts'

export interface VezneOptions {
  /** Address of the API: `https://api.example`. */
  apiUrl: string
  /** Default: the language of the web page, otherwise Turkish. */
  language?: Language
}

export interface Product {
  product_name: string
  /** Price in the minor unit. */
  price: number
  description?: string
}

export interface Metadata {
  key: string
  value: string | number | boolean
}

export type Display = 'frame' | 'redirect'

/** Payment that the browser starts. */
export interface NewPayment {
  /** Amount in the minor unit: 18990 is 189.90. */
  amount: number
  /** Default: the merchant’s own currency. */
  currency?: string
  products?: Product[]
  product_ids?: number[]
  customer_id?: number
  metadata?: Metadata[]
  description?: string
  pre_auth?: boolean
  redirect_url?: string
  /** Shown in the page, or by a button that opens it. */
  display?: Display
  payment_page_url?: never
}

/** Payment that the merchant’s server has started. */
export interface StartedPayment {
  payment_page_url: string
  amount?: never
  display?: Display
}

export type PaymentOptions = NewPayment | StartedPayment

/** Returns the fault of an option, or undefined. */
type Check = (value: unknown) => Sentence | undefined

const check =
  (isRight: (value: unknown) => boolean, tr: string, en: string): Check =>
  (value) =>
    isRight(value) ? undefined : { tr, en }

const list = check(Array.isArray, 'bir liste olmalıdır', 'must be a list')
const text = check((value) => typeof value === 'string', 'metin olmalıdır', 'must be text')
const address = check(
  (value) => webAddress(value) !== undefined,
  'http:// veya https:// ile başlayan tam bir adres olmalıdır',
  'must be a complete address that begins with http:// or https://',
)
const display = check(
  (value) => value === 'frame' || value === 'redirect',
  "'frame' veya 'redirect' olmalıdır",
  "must be 'frame' or 'redirect'",
)
const isPositive = (value: unknown) => Number.isSafeInteger(value) && (value as number) > 0
const positive = check(
  isPositive,
  'en küçük para birimi cinsinden pozitif bir tam sayı olmalıdır: 18990, 189,90 demektir',
  'must be a positive whole number in the minor unit: 18990 means 189.90',
)

const startedChecks: Record<string, Check> = { payment_page_url: address, display }

const newChecks: Record<string, Check> = {
  amount: positive,
  currency: check(
    (value) => typeof value === 'string' && /^[a-z]{3}$/i.test(value),
    'ISO 4217 para birimi kodu olmalıdır, örneğin TRY',
    'must be an ISO 4217 currency code, for example TRY',
  ),
  products: list,
  product_ids: list,
  customer_id: check(isPositive, 'bir müşteri numarası olmalıdır', 'must be the ID of a customer'),
  metadata: list,
  description: text,
  pre_auth: check(
    (value) => typeof value === 'boolean',
    'true veya false olmalıdır',
    'must be true or false',
  ),
  redirect_url: address,
  display,
}

/**
 * Refuses invalid options before any request; the API checks the rest. An unknown option is refused too,
 * because it is probably misspelt.
 */
export function checkPayment(options: unknown, language: Language): asserts options is PaymentOptions {
  const given = ownOptions(options)
  const isStarted = 'payment_page_url' in given
  const checks = isStarted ? startedChecks : newChecks
  for (const [name, value] of Object.entries(given)) {
    const own = Object.hasOwn(checks, name) ? checks[name] : undefined
    const wrong = own ? value !== undefined && own(value) : isStarted ? notBeside : unknown
    if (wrong) throw invalidOption(name, wrong, language)
  }
  const must = isStarted ? 'payment_page_url' : 'amount'
  if (given[must] === undefined) throw invalidOption(must, missing, language)
}

/** Own properties only, so that nothing added to the prototype of all objects counts. */
export function ownOptions(options: unknown): Record<string, unknown> {
  return Object.assign(Object.create(null), isRecord(options) ? options : {})
}

/** Checks the public key. Guarantee: a secret key is never used. */
export function checkKey(publicKey: unknown, language: Language): asserts publicKey is string {
  if (typeof publicKey === 'string' && /^\s*sk_/.test(publicKey)) {
    throw new VezneError('secret_key', secretKey[language])
  }
  if (typeof publicKey !== 'string' || !/^pk_(test|live)_\w+$/.test(publicKey))
    throw invalidOption('publicKey', notKey, language)
}

/** Address of the API, without a trailing slash. */
export function readApiUrl(apiUrl: unknown, language: Language): string {
  const wrong = apiUrl === undefined ? missing : address(apiUrl)
  if (wrong) throw invalidOption('apiUrl', wrong, language)
  return String(apiUrl).replace(/\/+$/, '')
}

export function checkLanguage(language: unknown, own: Language): void {
  if (language !== undefined && (typeof language !== 'string' || languageInTag(language) !== language))
    throw invalidOption('language', notLanguage, own)
}

export function invalidOption(name: string, sentence: Sentence, language: Language): VezneError {
  return new VezneError('invalid_options', `${name}: ${sentence[language]}.`)
}

const missing: Sentence = { tr: 'zorunludur', en: 'is required' }

const unknown: Sentence = { tr: 'böyle bir seçenek yok', en: 'unknown option' }

const notBeside: Sentence = {
  tr: 'payment_page_url ile birlikte verilemez: bu ödeme zaten başlatılmış',
  en: 'cannot be used with payment_page_url: that payment is already started',
}

const notLanguage: Sentence = { tr: "'tr' veya 'en' olmalıdır", en: "must be 'tr' or 'en'" }

const notKey: Sentence = {
  tr: 'pk_test_ veya pk_live_ ile başlayan açık anahtar olmalıdır',
  en: 'must be a public key that begins with pk_test_ or pk_live_',
}

const secretKey: Sentence = {
  tr: 'Gizli anahtar (sk_…) hiçbir zaman tarayıcıda bulunmamalıdır: bu sayfayı açan herkes onu okuyabilir. Anahtarı hemen iptal edin, sayfadan kaldırın ve yerine açık anahtarı (pk_…) kullanın.',
  en: 'A secret key (sk_…) must never be in a browser: everyone who opens this page can read it. Revoke it now, remove it from the page, and use the public key (pk_…) instead.',
}
