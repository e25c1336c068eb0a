import { createHmac, timingSafeEqual } from 'node:crypto'

/** Amount the cardholder confirmed. The currency is in ISO 4217 letters. */
export interface AuthenticatedAmount {
  /** In minor units. */
  amount: number | bigint
  currency: string
}

/** A constant is enough: signatures of the sandbox protect no money. */
const key = 'the sandbox bank signs what its holders agreed to'
const signedBytes = 12

/** The salt makes the values of two authentications of the same amount differ. */
export const saltBytes = 8

/**
 * Authentication value (CAVV) that the issuer creates, and verifies when it is charged. It has 20 bytes, as
 * in all schemes, and is valid only for this amount and currency.
 */
export function cavvFor(agreed: AuthenticatedAmount, salt: Uint8Array): string {
  if (salt.length !== saltBytes) throw new Error(`a salt has ${saltBytes} bytes`)
  const { amount, currency } = agreed
  const signed = createHmac('sha256', key).update(salt).update(`${amount} ${currency}`).digest()
  return Buffer.concat([salt, signed.subarray(0, signedBytes)]).toString('base64')
}

/** True if the issuer created this value for this amount. */
export function isCavvFor(agreed: AuthenticatedAmount, cavv: string): boolean {
  const bytes = Buffer.from(cavv, 'base64')
  if (bytes.length !== saltBytes + signedBytes || bytes.toString('base64') !== cavv) return false
  const own = Buffer.from(cavvFor(agreed, bytes.subarray(0, saltBytes)), 'base64')
  return timingSafeEqual(own, bytes)
}
