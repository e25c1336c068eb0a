import assert from 'node:assert/strict'
import { it } from 'node:test'
import { documentedWebhookMessages } from './messages.ts'

interface Example {
  type: string
  data: {
    payment_status_text?: string
    transaction_status_text?: string
    pre_auth?: boolean
    refund?: { status: string }
    difference?: { operation: string }
  }
}

it('the example of each kind shows the state of the transaction, refund or difference after the event', () => {
  const shown = documentedWebhookMessages.map(({ name, example }) => {
    const { type, data } = example as Example
    assert.equal(type, name)
    const { payment_status_text, transaction_status_text, pre_auth, refund, difference } = data
    const beside = refund?.status ?? difference?.operation
    return [name, payment_status_text, transaction_status_text, pre_auth, beside]
  })
  assert.deepEqual(shown, [
    ['payment.succeeded', 'success', 'completed', false, undefined],
    ['payment.failed', 'failed', 'failed', false, undefined],
    ['payment.expired', 'failed', 'expired', false, undefined],
    ['payment.pre_authorized', 'pre_authorized', 'completed', true, undefined],
    ['pre_auth.completed', 'success', 'completed', true, undefined],
    ['pre_auth.failed', 'failed', 'failed', true, undefined],
    ['refund.created', 'success', 'completed', false, 'under_review'],
    ['refund.executed', 'partially_refunded', 'completed', false, 'executed'],
    ['refund.rejected', 'success', 'completed', false, 'rejected'],
    ['refund.failed', 'success', 'completed', false, 'failed'],
    ['payment.amount_differs', 'success', 'completed', false, 'charge'],
    ['pre_auth.amount_differs', 'pre_authorized', 'completed', true, 'hold'],
    ['refund.amount_differs', 'partially_refunded', 'completed', false, 'refund'],
    ['webhook.test', undefined, undefined, undefined, undefined],
  ])
})
