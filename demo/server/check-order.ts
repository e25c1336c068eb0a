import type { ApiTransaction, FieldComparison, OrderOutcome } from './compare-order.ts'
import { compareOrder, orderIdOf } from './compare-order.ts'
import type { ShopOrder } from './order.ts'
import type { DemoShop } from './shop.ts'

/** Result of checking a payment. */
export interface OrderCheck {
  outcome: OrderOutcome
  order: ShopOrder | undefined
  transactionId: string
  compared: FieldComparison[]
}

/**
 * Asks Vezne, with the secret key, for a transaction, and compares it with the order. The browser's word is
 * only a hint: anybody can send any transaction id. Without an order, after a redirect, the order is the one
 * in the transaction's metadata. Guarantee: nobody learns anything about the order of another visitor.
 */
export async function checkOrder(
  shop: DemoShop,
  visitor: string,
  transactionId: string,
  known?: ShopOrder,
): Promise<OrderCheck> {
  const nothing = { order: known, transactionId, compared: [] }
  if (!/^\d{14}$/.test(transactionId)) return { ...nothing, transactionId: '', outcome: 'unknown' }
  const transaction = await transactionById(shop, visitor, transactionId)
  if (typeof transaction === 'string') return { ...nothing, outcome: transaction }
  const order = shop.orders.ofVisitor(visitor, orderIdOf(transaction) ?? '')
  if (!order || (known && known !== order)) return { ...nothing, outcome: 'other' }
  const found = compareOrder(order, transaction)
  if (found.outcome === 'paid') order.paidBy ??= transaction.transaction_id
  return { order, transactionId, ...found }
}

async function transactionById(
  { vezne, log }: DemoShop,
  visitor: string,
  id: string,
): Promise<ApiTransaction | 'unknown' | 'unreachable'> {
  try {
    const { status, json } = await vezne.send('GET', `/v1/transaction/${id}`, { visitor })
    if (status === 200) return json
    return status === 404 ? 'unknown' : 'unreachable'
  } catch (err) {
    log.warn({ err }, 'the demo shop could not read a transaction from the API; the order is not checked')
    return 'unreachable'
  }
}
