import assert from 'node:assert/strict'
import { it } from 'node:test'
import { paymentIn } from './payment-in.ts'

const data = { transaction_id: 10000000000123, amount: 18_990 }
const payment = { transaction: '10000000000123', amountMinor: 18_990 }

it('transaction and amount are found in events, webhooks, requests and responses', () => {
  const cases: [object, object][] = [
    [{ body: { type: 'payment.succeeded', data } }, payment],
    [{ body: { transaction_id: 10000000000123, type: 'payment.succeeded', data } }, payment],
    [{ sent: {}, answered: data }, payment],
    [{ sent: { body: { amount: 18_990 } }, answered: { data: { transaction_id: 10000000000123 } } }, payment],
    [{ sent: { body: { amount: 1 } }, answered: data }, payment],
    [{ body: { transaction_id: 10000000000123, step: 'paid' } }, { transaction: '10000000000123' }],
    [{ answered: { transaction_id: null, amount: '1' } }, {}],
    [{ sent: {}, answered: 'no JSON' }, {}],
    [{}, {}],
  ]
  for (const [entry, found] of cases) assert.deepEqual(paymentIn(entry), found, JSON.stringify(entry))
})
