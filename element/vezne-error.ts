/**
 * What went wrong, for programs. The first four are mistakes in the code of the web page and are thrown; the others happen
 * later and come with the event `error`.
 */
export type ErrorCode =
  | 'invalid_options'
  | 'secret_key'
  | 'no_container'
  | 'already_mounted'
  | 'refused'
  | 'unreachable'
  | 'not_shown'

/** What the event `error` tells. */
export interface PaymentError {
  code: ErrorCode
  /** In the element’s language. */
  message: string
  /** The API’s own code, where it has refused: `901` and others. */
  error_code?: number
  /** What the API says of each parameter that is wrong. */
  errors?: Record<string, string[]>
}

export class VezneError extends Error {
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string) {
    super(message)
    this.name = 'VezneError'
    this.code = code
  }
}

/** Why a payment could not be started. Stays inside the element, which tells of it by an event. */
export class StartFailure extends Error {
  readonly paymentError: PaymentError

  constructor(paymentError: PaymentError) {
    super(paymentError.message)
    this.paymentError = paymentError
  }
}
