/** Subject of a bank call: a charge, or a modification of it. */
export interface BankCallSubject {
  merchantId: number
  paymentId: number
  attemptId: number
  /** Null if the call is about the charge itself. */
  modificationId: number | null
}

/** A call to a bank, kept as evidence. */
export interface BankCall extends BankCallSubject {
  id: number
  operation: BankCallOperation
  askedAt: Date
  answeredAt: Date | null
  outcome: string | null
  code: string | null
  detail: string | null
}

export const bankCallOperations = [
  'authorize',
  'pre_authorize',
  'capture',
  'inquiry',
  'verify',
  'void',
  'refund',
  'manual',
] as const

export type BankCallOperation = (typeof bankCallOperations)[number]

/** Delays before a bank is asked again, from the settings. */
export interface BankRetrySchedule {
  inquireAfterSeconds: readonly number[]
  reverseAgainAfterSeconds: readonly number[]
}
