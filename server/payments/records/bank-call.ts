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

/** Delays before a bank is asked again, from the settings. */
export interface BankRetrySchedule {
  inquireAfterSeconds: readonly number[]
  reverseAgainAfterSeconds: readonly number[]
}

/** Counters of work that a bank is asked for again and again. */
interface Tries {
  tries: number
  dueAt: Date | null
  needsReviewAt: Date | null
}

/**
 * Work after a call without a result: due after the next delay. After the last delay it needs manual review,
 * and the last delay is repeated.
 */
export function withNextCall<Work extends Tries>(work: Work, delaysS: readonly number[], now: Date): Work {
  const tries = work.tries + 1
  const dueAt = later(now, delaysS[tries - 1] ?? delaysS.at(-1) ?? 0)
  return { ...work, tries, dueAt, needsReviewAt: work.needsReviewAt ?? (tries > delaysS.length ? now : null) }
}

/** Counters of work that waits for no bank. */
export const noCallDue = { dueAt: null, tries: 0, needsReviewAt: null } satisfies Tries

export function later(from: Date, seconds: number): Date {
  return new Date(from.getTime() + seconds * 1000)
}
