import { createHmac, timingSafeEqual } from 'node:crypto'

/** What a holder agreed to. The currency is that of ISO 4217 in letters. */
export interface AuthenticatedAmount {
  /** In minor units. */
  amount: number | bigint
  currency: string
}

/** A toy bank has a toy key: what it signs here protects no money. */
const key = 'the sandbox bank signs what its holders agreed to'
const signedBytes = 12

/** The salt tells the values of two authentications of the same amount apart. */
export const saltBytes = 8

/**
 * What the issuer gives for an authentication, and knows again when it is asked to pay: 20 bytes, as all schemes have
 * it, that hold for this amount in this currency and for no other.
 */
export function cavvFor(agreed: AuthenticatedAmount, salt: Uint8Array): string {
  if (salt.length !== saltBytes) throw new Error(`a salt has ${saltBytes} bytes`)
  const { amount, currency } = agreed
  const signed = createHmac('sha256', key).update(salt).update(`${amount} ${currency}`).digest()
  return Buffer.concat([salt, signed.subarray(0, signedBytes)]).toString('base64')
}

/** Whether this is what the issuer gave for this amount. */
export function isCavvFor(agreed: AuthenticatedAmount, cavv: string): boolean {
  const bytes = Buffer.from(cavv, 'base64')
  if (bytes.length !== saltBytes + signedBytes || bytes.toString('base64') !== cavv) return false
  const own = Buffer.from(cavvFor(agreed, bytes.subarray(0, saltBytes)), 'base64')
  return timingSafeEqual(own, bytes)
}
