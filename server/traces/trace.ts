import type { RowOf } from '../../kit/runtime/table.ts'
import { bigint, defineMerchantTable, jsonb, text, timestamptz } from '../../kit/runtime/table.ts'

export const traces = defineMerchantTable('traces', {
  merchantId: bigint(),
  at: timestamptz(),
  id: bigint(),
  paymentId: bigint(),
  attemptId: bigint(),
  /** Other side of the message. */
  peer: text<'directory' | 'browser' | 'bank'>(),
  direction: text<'sent' | 'received'>(),
  kind: text(),
  body: jsonb<object>(),
})

export type StoredTrace = RowOf<typeof traces>

/**
 * A sent or received message, without the data that must not be stored: card, security code, cryptograms and
 * secrets.
 */
export type Trace = Omit<StoredTrace, 'id' | 'at'>
