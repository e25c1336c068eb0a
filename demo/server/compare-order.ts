import type { ShopOrder } from './order.ts'

/** A transaction as `GET /v1/transaction/:id` answers it, and webhooks send it. */
export interface ApiTransaction {
  transaction_id: number
  amount: number
  currency_code: string
  payment_status_text: string
  transaction_status_text: string
  metadata: { key: string; value: string }[]
}

/** What it comes to for the shop. Only `paid` means that something may be sent. */
export type OrderOutcome =
  | 'paid'
  | 'waiting'
  | 'failed'
  | 'expired'
  | 'held'
  | 'refunded'
  /** Somebody's payment, but not of this order, or not of its price. */
  | 'other'
  /** Paid, but so was the order before, by another transaction. */
  | 'again'
  /** There is no such transaction of ours. */
  | 'unknown'
  /** Vezne could not be asked. */
  | 'unreachable'

/** One thing that the shop knows, and what the transaction says of it. */
export interface FieldComparison {
  what: 'order' | 'amount' | 'currency' | 'status'
  ours: string | number
  theirs: string | number
  isSame: boolean
}

/**
 * Whether this transaction pays this order. A payment that a browser starts is started with what the browser says: the
 * amount and the order in it are claims, and count once they are what the shop itself wrote down.
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

/** The order that a transaction says it is for. */
export function orderIdOf({ metadata }: ApiTransaction): string | undefined {
  return metadata.find(({ key }) => key === 'order')?.value
}

function outcomeOf(status: string, transactionStatus: string): OrderOutcome {
  if (status === 'success') return 'paid'
  if (status === 'waiting') return 'waiting'
  if (status === 'pre_authorized') return 'held'
  if (status === 'refunded' || status === 'partially_refunded') return 'refunded'
  return transactionStatus === 'expired' ? 'expired' : 'failed'
}
