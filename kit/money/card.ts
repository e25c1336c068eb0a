import { inspect } from 'node:util'

/**
 * Something that must not be seen: it can be revealed to who needs it, and neither be printed, nor logged, nor
 * serialised. Guarantee: every way that makes a text of a value makes of this one the same few words.
 */
class Hidden {
  readonly #text: string
  readonly #shown: string

  constructor(text: string, shown: string) {
    this.#text = text
    this.#shown = shown
  }

  /** The thing itself, for the bank and for nobody else. */
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

/** The number of a card. Shown anywhere it is its first six digits, which name the bank, and its last four. */
export class SecretPan extends Hidden {
  private constructor(digits: string) {
    super(digits, `${digits.slice(0, 6)}${'*'.repeat(digits.length - 10)}${digits.slice(-4)}`)
  }

  get masked(): string {
    return this.toString()
  }

  /** The first eight digits: what kind of card it is. */
  get bin(): number {
    return Number(this.reveal().slice(0, 8))
  }

  /** The number as it was typed, with spaces or without; undefined if it is none. */
  static of(typed: string): SecretPan | undefined {
    const digits = typed.replaceAll(/[\s-]/g, '')
    return /^[1-9]\d{12,18}$/.test(digits) && isLuhnValid(digits) ? new SecretPan(digits) : undefined
  }
}

/** The code of three or four digits that proves that the payer holds the card. */
export class SecretCvc extends Hidden {
  private constructor(digits: string) {
    super(digits, '***')
  }

  static of(typed: string): SecretCvc | undefined {
    return /^\d{3,4}$/.test(typed) ? new SecretCvc(typed) : undefined
  }
}

/** A card as the payer typed it. */
export interface PaymentCard {
  pan: SecretPan
  cvc: SecretCvc
  expiryMonth: number
  /** In full: 2030. */
  expiryYear: number
  holder: string
}

/** Whether the last digit is what the others demand, as on every card. */
export function isLuhnValid(digits: string): boolean {
  let sum = 0
  for (let index = 0; index < digits.length; index++) {
    let digit = Number(digits[digits.length - 1 - index])
    if (index % 2 === 1) digit = digit * 2 > 9 ? digit * 2 - 9 : digit * 2
    sum += digit
  }
  return sum % 10 === 0
}
