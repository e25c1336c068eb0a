import type { Static } from 'typebox'
import type { LocalizedText } from '../../kit/text/locale.ts'
import type { EventKind } from '../events/index.ts'
import type { ShownRefund } from '../refunds/index.ts'

/** Occasion of an event, and the fields in which its example differs from the examples of the schemas. */
interface EventMessage extends LocalizedText {
  transaction?: object
  refund?: Partial<Static<typeof ShownRefund>>
  difference?: object
}

const failed = { payment_status: 2, payment_status_text: 'failed' }
const notCompleted = { transaction_status: 3, transaction_status_text: 'failed' }
const held = { payment_status: 3, payment_status_text: 'pre_authorized', pre_auth: true }
const partiallyRefunded = { payment_status: 5, payment_status_text: 'partially_refunded' }

const requested = { created_at: '2026-11-15T09:40:09+03:00' }
const end = '2026-11-15T09:40:12+03:00'
const ended = { ...requested, waiting_for: null, due_at: null, reviewed_at: end, end_at: end }

export const eventMessages: Readonly<Record<EventKind, EventMessage>> = {
  'payment.succeeded': { tr: 'Ödeme başarılı oldu.', en: 'A payment succeeded.' },
  'payment.failed': {
    tr: 'Ödeme başarısız oldu: deneme hakkı kalmadı.',
    en: 'A payment failed: no attempts are left.',
    transaction: {
      ...failed,
      ...notCompleted,
      transaction_message: 'Reddedildi: onaylanmayan işlem',
      transaction_code: '05',
    },
  },
  'payment.expired': {
    tr: 'Ödeme sayfasının süresi ödeme yapılmadan doldu.',
    en: 'A payment page expired without a payment.',
    transaction: {
      ...failed,
      transaction_status: 4,
      transaction_status_text: 'expired',
      transaction_message: null,
      transaction_code: null,
    },
  },
  'payment.pre_authorized': {
    tr: 'Tutar ön provizyon olarak bloke edildi.',
    en: 'The amount of a payment is held as a pre-authorization.',
    transaction: held,
  },
  'pre_auth.completed': {
    tr: 'Ön provizyon kapatıldı: tutar tahsil edildi.',
    en: 'A pre-authorization was captured.',
    transaction: { pre_auth: true },
  },
  'pre_auth.failed': {
    tr: 'Ön provizyon tahsil edilmeden sona erdi: iptal edildi veya banka kapamayı reddetti.',
    en: 'A pre-authorization ended without a capture: it was released, or the bank declined the capture.',
    transaction: {
      ...failed,
      ...notCompleted,
      transaction_message: 'Geçersiz işlem',
      transaction_code: '12',
      pre_auth: true,
    },
  },
  'refund.created': {
    tr: 'İade talep edildi.',
    en: 'A refund was requested.',
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
  'refund.executed': {
    tr: 'İade gerçekleştirildi.',
    en: 'A refund was executed.',
    transaction: partiallyRefunded,
    refund: { ...ended, status: 'executed', reason: null },
  },
  'refund.rejected': {
    tr: 'İade incelemede reddedildi.',
    en: 'The review rejected a refund.',
    refund: { ...ended, status: 'rejected', reason: 'Ürün geri gelmedi' },
  },
  'refund.failed': {
    tr: 'Banka iadeyi reddetti.',
    en: 'The bank declined a refund.',
    refund: { ...ended, status: 'failed', reason: '12 Geçersiz işlem' },
  },
  'payment.amount_differs': {
    tr: 'Banka, bir ödemede istenenden farklı bir tutar çekti. İşlemin durumu değişmez.',
    en: 'The bank charged another amount than requested. The status of the transaction does not change.',
    difference: { operation: 'charge', refund_id: null },
  },
  'pre_auth.amount_differs': {
    tr: 'Banka, bir ön provizyonda veya provizyon kapamada istenenden farklı bir tutarla işlem yaptı. İşlemin durumu değişmez.',
    en: 'The bank held or captured another amount of a pre-authorization than requested. The status of the transaction does not change.',
    transaction: held,
    difference: { operation: 'hold', refund_id: null },
  },
  'refund.amount_differs': {
    tr: 'Banka, istenenden farklı bir tutar iade etti. İşlemin durumu değişmez.',
    en: 'The bank refunded another amount than requested. The status of the transaction does not change.',
    transaction: partiallyRefunded,
    difference: { operation: 'refund', requested_amount: 5000, bank_amount: 4900 },
  },
}
