/** Subject of a bank call: a charge, or a modification of it. */
export interface BankCallSubject {
  merchantId: number
  paymentId: number
  attemptId: number
  /** Null where it is about the charge itself. */
  modificationId: number | null
}

/** A question that a bank is asked, as evidence. */
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
  'query',
  'verify',
  'void',
  'refund',
  'person',
] as const

export type BankCallOperation = (typeof bankCallOperations)[number]

/** How long to wait before a bank is asked again, as the settings say. */
export interface BankRetrySchedule {
  inquireAfterSeconds: readonly number[]
  reverseAgainAfterSeconds: readonly number[]
}
