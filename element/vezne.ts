import { AccessToken } from './access-token.ts'
import { MountedPayment } from './mounted-payment.ts'
import type { PaymentOptions, VezneOptions } from './options.ts'
import { checkKey, checkLanguage, checkPayment, readApiUrl } from './options.ts'
import type { Payment } from './payment.ts'
import { languageInTag, languageOf } from './texts.ts'
import { thisBrowser } from './this-browser.ts'

export type { EventName, Listener, PaymentEvents } from './listeners.ts'
export type { Step } from './messages.ts'
export type {
  Display,
  Metadata,
  NewPayment,
  PaymentOptions,
  Product,
  StartedPayment,
  VezneOptions,
} from './options.ts'
export type { Payment } from './payment.ts'
export type { Language } from './texts.ts'
export type { ErrorCode, PaymentError } from './vezne-error.ts'
export { VezneError } from './vezne-error.ts'

/** Merchant on a web page. */
export interface Vezne {
  /**
   * Creates a payment, which starts when it is first mounted; with `display: 'redirect'`, when the payer
   * presses the button. Throws a `VezneError` if an option is invalid.
   */
  payment(options: PaymentOptions): Payment
}

/**
 * Creates a merchant. Guarantee: invalid options throw here, and no request is sent before a payment is
 * mounted.
 */
export function Vezne(publicKey: string, options: VezneOptions): Vezne {
  const pageTag = globalThis.document?.documentElement.lang ?? ''
  checkLanguage(options?.language, languageOf(undefined, pageTag))
  const language = languageOf(options?.language, pageTag)
  checkKey(publicKey, language)
  const api = { url: readApiUrl(options?.apiUrl, language), language, browser: thisBrowser }
  const around = {
    api,
    token: new AccessToken(api, publicKey),
    shown: options.language ?? languageInTag(pageTag),
  }
  return {
    payment(paymentOptions) {
      checkPayment(paymentOptions, language)
      return new MountedPayment(around, paymentOptions)
    },
  }
}
