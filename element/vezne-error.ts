/**
 * Error code for programs. The first four are mistakes in the code of the web page and are thrown. The others
 * come later, with the event `error`.
 */
export type ErrorCode =
  | 'invalid_options'
  | 'secret_key'
  | 'no_container'
  | 'already_mounted'
  | 'refused'
  | 'unreachable'
  | 'not_shown'

/** Data of the event `error`. */
export interface PaymentError {
  code: ErrorCode
  /** Message in the element’s language. */
  message: string
  /** Code of the API if it refused: `901` and others. */
  error_code?: number
  /** Errors of the API by parameter. */
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

/** Reason why a payment could not be started. The element catches it and emits an event. */
export class StartFailure extends Error {
  readonly paymentError: PaymentError

  constructor(paymentError: PaymentError) {
    super(paymentError.message)
    this.paymentError = paymentError
  }
}
