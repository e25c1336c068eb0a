import type { EventKind } from '../events/index.ts'

const failed = { payment_status: 2, payment_status_text: 'failed' }
const notCompleted = { transaction_status: 3, transaction_status_text: 'failed' }

/** Fields in which the transaction after each event differs from the example of a paid one. */
export const transactionExampleOverrides: Readonly<Record<EventKind, object>> = {
  'payment.succeeded': {},
  'payment.failed': {
    ...failed,
    ...notCompleted,
    transaction_message: 'Reddedildi: onaylanmayan işlem',
    transaction_code: '05',
  },
  'payment.expired': {
    ...failed,
    transaction_status: 4,
    transaction_status_text: 'expired',
    transaction_message: null,
    transaction_code: null,
  },
  'payment.pre_authorized': { payment_status: 3, payment_status_text: 'pre_authorized', pre_auth: true },
  'pre_auth.completed': { pre_auth: true },
  'pre_auth.failed': {
    ...failed,
    ...notCompleted,
    transaction_message: 'Geçersiz işlem',
    transaction_code: '12',
    pre_auth: true,
  },
  'refund.created': {},
  'refund.executed': { payment_status: 5, payment_status_text: 'partially_refunded' },
  'refund.rejected': {},
  'refund.failed': {},
  'payment.amount_differs': {},
  'pre_auth.amount_differs': { payment_status: 3, payment_status_text: 'pre_authorized', pre_auth: true },
  'refund.amount_differs': { payment_status: 5, payment_status_text: 'partially_refunded' },
}

/** Fields in which the difference of each event differs from the example. */
export const amountDifferenceExampleOverrides: Readonly<Partial<Record<EventKind, object>>> = {
  'payment.amount_differs': { operation: 'charge', refund_id: null },
  'pre_auth.amount_differs': { operation: 'hold', refund_id: null },
  'refund.amount_differs': { operation: 'refund', requested_amount: 5000, bank_amount: 4900 },
}

const requested = { created_at: '2026-11-15T09:40:09+03:00' }
const end = '2026-11-15T09:40:12+03:00'
const ended = { ...requested, waiting_for: null, due_at: null, reviewed_at: end, end_at: end }

interface RefundExample {
  /** Time of the event. */
  at: string
  /** Fields in which the refund differs from the example. */
  refund: object
}

export const refundExampleOverrides: Readonly<Partial<Record<EventKind, RefundExample>>> = {
  'refund.created': {
    at: requested.created_at,
    refund: {
      ...requested,
      status: 'under_review',
      waiting_for: 'review',
      due_at: '2026-11-15T09:40:11+03:00',
      reason: null,
      reviewed_at: null,
      end_at: null,
    },
  },
  'refund.executed': { at: end, refund: { ...ended, status: 'executed', reason: null } },
  'refund.rejected': { at: end, refund: { ...ended, status: 'rejected', reason: 'Ürün geri gelmedi' } },
  'refund.failed': { at: end, refund: { ...ended, status: 'failed', reason: '12 Geçersiz işlem' } },
}
