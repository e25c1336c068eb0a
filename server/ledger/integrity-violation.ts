/**
 * A section of a merchant's data: all that belongs to the payments whose ids are behind one, up to another and with
 * it. Integrity checks read section by section, so that no query takes long.
 */
export interface PaymentIdRange {
  merchantId: number
  behind: number
  upTo: number
}

/** Something that must not be, and where. */
export interface IntegrityViolation {
  merchantId: number
  /** Null if it is about the merchant as a whole. */
  paymentId: number | null
  detail: string | null
  /** How many of its kind there are in the section; only the first of them are answered. */
  total: number
}
