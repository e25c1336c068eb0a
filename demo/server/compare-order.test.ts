import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { ApiTransaction, OrderOutcome } from './compare-order.ts'
import { compareOrder } from './compare-order.ts'
import type { ShopOrder } from './order.ts'

const order: ShopOrder = {
  id: 'K-1234ABCD',
  visitor: 'a visitor',
  lines: [],
  amountMinor: 37_980,
  currency: 'TRY',
  paidBy: undefined,
  isWebhookReceived: false,
}
const paid: ApiTransaction = {
  transaction_id: 10000000000123,
  amount: 37_980,
  currency_code: 'TRY',
  payment_status_text: 'success',
  transaction_status_text: 'completed',
  metadata: [
    { key: 'table', value: '4' },
    { key: 'order', value: order.id },
  ],
}

it('only a successful transaction with the order’s id, price and currency pays the order', () => {
  const cases: [OrderOutcome, Partial<ApiTransaction>, differing: string[]][] = [
    ['paid', {}, []],
    ['waiting', { payment_status_text: 'waiting' }, ['status']],
    ['held', { payment_status_text: 'pre_authorized' }, ['status']],
    ['refunded', { payment_status_text: 'refunded' }, ['status']],
    ['refunded', { payment_status_text: 'partially_refunded' }, ['status']],
    ['failed', { payment_status_text: 'failed' }, ['status']],
    ['failed', { payment_status_text: 'something new' }, ['status']],
    ['expired', { payment_status_text: 'failed', transaction_status_text: 'expired' }, ['status']],
    ['other', { currency_code: 'USD' }, ['currency']],
    ['other', { amount: 37_979 }, ['amount']],
    ['other', { amount: 37_981 }, ['amount']],
    ['other', { metadata: [{ key: 'order', value: 'K-0' }] }, ['order']],
    ['other', { metadata: [{ key: 'orders', value: order.id }] }, ['order']],
    ['other', { metadata: [] }, ['order']],
    ['other', { amount: 1, payment_status_text: 'failed' }, ['amount', 'status']],
  ]
  for (const [outcome, change, differing] of cases) {
    const found = compareOrder(order, { ...paid, ...change })
    const others = found.compared.filter(({ isSame }) => !isSame).map(({ what }) => what)
    assert.deepEqual([found.outcome, others], [outcome, differing], JSON.stringify(change))
  }
})
