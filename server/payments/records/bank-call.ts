import type { RowOf } from '../../../kit/runtime/table.ts'
import { bigint, defineMerchantTable, text, timestamptz } from '../../../kit/runtime/table.ts'

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

export const bankCalls = defineMerchantTable('bank_calls', {
  merchantId: bigint(),
  id: bigint(),
  paymentId: bigint(),
  attemptId: bigint(),
  /** Null if the call is about the charge itself. */
  modificationId: bigint().orNull(),
  operation: text<BankCallOperation>(),
  askedAt: timestamptz(),
  answeredAt: timestamptz().orNull(),
  outcome: text().orNull(),
  code: text().orNull(),
  detail: text().orNull(),
})

/** A call to a bank, kept as evidence. */
export type BankCall = RowOf<typeof bankCalls>

/** Subject of a bank call: a charge, or a modification of it. */
export type BankCallSubject = Pick<BankCall, 'merchantId' | 'paymentId' | 'attemptId' | 'modificationId'>
