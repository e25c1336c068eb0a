import { inspect } from 'node:util'

/**
 * A secret value. `reveal` returns it; printing, logging and serialising do not. Guarantee: every conversion
 * to text gives the same masked text.
 */
class Hidden {
  readonly #text: string
  readonly #shown: string

  constructor(text: string, shown: string) {
    this.#text = text
    this.#shown = shown
  }

  /** The secret itself, for the bank only. */
  reveal(): string {
    return this.#text
  }

  toString(): string {
    return this.#shown
  }

  toJSON(): string {
    return this.#shown
  }

  [Symbol.toPrimitive](): string {
    return this.#shown
  }

  [inspect.custom](): string {
    return this.#shown
  }
}

/**
 * A card number (PAN). Its text form shows the first six digits, which identify the bank, and the last four.
 */
export class SecretPan extends Hidden {
  private constructor(digits: string) {
    super(digits, `${digits.slice(0, 6)}${'*'.repeat(digits.length - 10)}${digits.slice(-4)}`)
  }

  get masked(): string {
    return this.toString()
  }

  /** The first eight digits (BIN), which identify the kind of card. */
  get bin(): number {
    return Number(this.reveal().slice(0, 8))
  }

  /** Parses a typed card number, with or without spaces. Undefined if it is not valid. */
  static of(typed: string): SecretPan | undefined {
    const digits = typed.replaceAll(/[\s-]/g, '')
    return /^[1-9]\d{12,18}$/.test(digits) && isLuhnValid(digits) ? new SecretPan(digits) : undefined
  }
}

/** The security code: three or four digits that prove that the payer holds the card. */
export class SecretCvc extends Hidden {
  private constructor(digits: string) {
    super(digits, '***')
  }

  static of(typed: string): SecretCvc | undefined {
    return /^\d{3,4}$/.test(typed) ? new SecretCvc(typed) : undefined
  }
}

export interface PaymentCard {
  pan: SecretPan
  cvc: SecretCvc
  expiryMonth: number
  /** Four digits: 2030. */
  expiryYear: number
  holder: string
}

export function isLuhnValid(digits: string): boolean {
  let sum = 0
  for (let index = 0; index < digits.length; index++) {
    let digit = Number(digits[digits.length - 1 - index])
    if (index % 2 === 1) digit = digit * 2 > 9 ? digit * 2 - 9 : digit * 2
    sum += digit
  }
  return sum % 10 === 0
}
