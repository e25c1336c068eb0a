/**
 * A range of a merchant's payment ids: greater than `behind`, up to and including `upTo`. Integrity checks
 * read range by range, so that no query takes long.
 */
export interface PaymentIdRange {
  merchantId: number
  behind: number
  upTo: number
}

/** A violated condition, and the payment or merchant that violates it. */
export interface IntegrityViolation {
  merchantId: number
  /** Null if the violation concerns the merchant as a whole. */
  paymentId: number | null
  detail: string | null
  /** Violations of this kind in the range. Only the first ones are returned. */
  total: number
}
