import type { ShopOrder } from './order.ts'

/** A transaction as `GET /v1/transaction/:id` returns it and webhooks send it. */
export interface ApiTransaction {
  transaction_id: number
  amount: number
  currency_code: string
  payment_status_text: string
  transaction_status_text: string
  metadata: { key: string; value: string }[]
}

/** Outcome for the shop. Only `paid` means that the goods may be shipped. */
export type OrderOutcome =
  | 'paid'
  | 'waiting'
  | 'failed'
  | 'expired'
  | 'held'
  | 'refunded'
  /** A payment of another order, or of another price. */
  | 'other'
  /** Paid, but another transaction paid the order before. */
  | 'again'
  /** The merchant has no such transaction. */
  | 'unknown'
  /** Vezne could not be reached. */
  | 'unreachable'

/** One field of the order and of the transaction. */
export interface FieldComparison {
  what: 'order' | 'amount' | 'currency' | 'status'
  ours: string | number
  theirs: string | number
  isSame: boolean
}

/**
 * Compares a transaction with an order. A payment that a browser starts has the browser's amount and order
 * id. They are trusted only if they equal the shop's own.
 */
export function compareOrder(
  order: ShopOrder,
  transaction: ApiTransaction,
): { outcome: OrderOutcome; compared: FieldComparison[] } {
  const status = transaction.payment_status_text
  const facts: [FieldComparison['what'], string | number, string | number][] = [
    ['order', order.id, orderIdOf(transaction) ?? ''],
    ['amount', order.amountMinor, transaction.amount],
    ['currency', order.currency, transaction.currency_code],
    ['status', 'success', status],
  ]
  const compared = facts.map(([what, ours, theirs]) => ({ what, ours, theirs, isSame: ours === theirs }))
  const isOurs = compared.every(({ what, isSame }) => isSame || what === 'status')
  const outcome = isOurs ? outcomeOf(status, transaction.transaction_status_text) : 'other'
  const isSecond = order.paidBy !== undefined && order.paidBy !== transaction.transaction_id
  return { compared, outcome: outcome === 'paid' && isSecond ? 'again' : outcome }
}

/** Order id in the metadata of a transaction. */
export function orderIdOf({ metadata }: Pick<ApiTransaction, 'metadata'>): string | undefined {
  return metadata.find(({ key }) => key === 'order')?.value
}

function outcomeOf(status: string, transactionStatus: string): OrderOutcome {
  if (status === 'success') return 'paid'
  if (status === 'waiting') return 'waiting'
  if (status === 'pre_authorized') return 'held'
  if (status === 'refunded' || status === 'partially_refunded') return 'refunded'
  return transactionStatus === 'expired' ? 'expired' : 'failed'
}
