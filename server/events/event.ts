import type { Static } from 'typebox'
import {
  resourceReferenceSchema,
  resourceSchema,
  shownChoiceSchema,
  shownIntegerSchema,
  shownTimeSchema,
} from '../../kit/api/resource.ts'
import { idField, objectSchema } from '../../kit/input/fields.ts'
import type { RowOf } from '../../kit/runtime/table.ts'
import { bigint, defineMerchantTable, integer, jsonb, text, timestamptz } from '../../kit/runtime/table.ts'
import type { ObjectKeyOrder } from '../../kit/text/object-key-order.ts'
import { sortObjectKeys } from '../../kit/text/object-key-order.ts'
import { isoTime } from '../../kit/text/zoned-time.ts'
import type { Merchant } from '../merchants/index.ts'

/** Kinds of events that a merchant can receive. */
export const eventKinds = [
  'payment.succeeded',
  'payment.failed',
  'payment.expired',
  'payment.pre_authorized',
  'pre_auth.completed',
  'pre_auth.failed',
  'refund.created',
  'refund.executed',
  'refund.rejected',
  'refund.failed',
  'payment.amount_differs',
  'pre_auth.amount_differs',
  'refund.amount_differs',
] as const

export type EventKind = (typeof eventKinds)[number]

export const events = defineMerchantTable('events', {
  merchantId: bigint(),
  id: bigint(),
  paymentId: bigint(),
  /** Number within the events of its payment, from 1 without gaps. */
  number: integer(),
  kind: text<EventKind>(),
  /** The payment as its merchant sees it after the event. */
  data: jsonb<object>(),
  createdAt: timestamptz(),
})

export const eventPositions = defineMerchantTable('event_positions', {
  merchantId: bigint(),
  eventId: bigint(),
  /** Null until it is assigned. */
  position: bigint().orNull(),
  /** Time of the event. */
  createdAt: timestamptz(),
})

export type PaymentEvent = Pick<RowOf<typeof events>, 'id' | 'kind' | 'data' | 'createdAt'>

/** Event in the merchant's list. */
export interface ListedEvent extends Omit<RowOf<typeof events>, 'merchantId'> {
  /** Position in the list, from 1 without gaps. */
  position: number
}

export const eventIdParams = objectSchema({
  event_id: idField({ tr: 'Olay numarası.', en: 'ID of an event.' }),
})

export const ShownEvent = resourceSchema(
  'Event',
  { tr: 'Bir ödemenin olayı.', en: 'Event of a payment.' },
  {
    id: shownIntegerSchema(
      {
        tr: 'Olay numarası. Webhook gönderiminde `webhook-id` başlığındaki değerdir.',
        en: 'ID of the event. A webhook delivery sends it in the `webhook-id` header.',
      },
      10000000000789,
    ),
    type: shownChoiceSchema({ tr: 'Olayın türü.', en: 'Type of the event.' }, eventKinds),
    number: shownIntegerSchema(
      {
        tr: 'Aynı işlemin olayları arasındaki sıra numarası; 1 ile başlar, sayı atlamaz.',
        en: 'Number of the event among the events of its transaction, from 1, without gaps.',
      },
      1,
    ),
    transaction_id: shownIntegerSchema(
      { tr: 'İlgili işlemin numarası.', en: 'ID of the transaction.' },
      10000000000123,
    ),
    timestamp: shownTimeSchema(
      { tr: 'Olayın gerçekleştiği tarih ve saat.', en: 'Time of the event.' },
      '2026-11-15T09:31:45+03:00',
    ),
    data: resourceReferenceSchema(
      {
        tr: 'İşlemin olaydan hemen sonraki hâli. İade olaylarında ayrıca `refund` alanı bulunur: iadenin kendisi. `amount_differs` olaylarında bunun yerine `difference` alanı bulunur: istenen tutar ve bankadaki tutar.',
        en: 'The transaction immediately after the event. Refund events also have the field `refund`: the refund. `amount_differs` events have the field `difference` instead: the requested amount and the bank’s amount.',
      },
      'TransactionResult',
    ),
  },
)

export function shownEvent(
  event: ListedEvent,
  { timeZone }: Pick<Merchant, 'timeZone'>,
): Static<typeof ShownEvent> {
  return {
    id: event.id,
    type: event.kind,
    number: event.number,
    transaction_id: event.paymentId,
    timestamp: isoTime(event.createdAt, timeZone),
    data: sortObjectKeys(event.data, dataOrder),
  }
}

/** Body of a webhook request. Guarantee: the bytes are the same for the same event and time zone. */
export function eventBody({ kind, createdAt, data }: Omit<PaymentEvent, 'id'>, timeZone: string): string {
  const timestamp = isoTime(createdAt, timeZone)
  return JSON.stringify({ type: kind, timestamp, data: sortObjectKeys(data, dataOrder) })
}

/**
 * Key order of the events' data: the order of the transaction result, followed by the refund, as in API
 * responses. The database keeps no order, and features above this one build the data; a test compares this
 * order with theirs.
 */
const dataOrder: ObjectKeyOrder = [
  'transaction_id',
  'amount',
  'currency_code',
  'installment_count',
  'payment_status',
  'payment_status_text',
  'transaction_status',
  'transaction_status_text',
  'transaction_message',
  'transaction_code',
  'payment_method',
  'payment_method_text',
  'pre_auth',
  'created_at',
  'start_at',
  'end_at',
  ['metadata', ['key', 'value']],
  'formatted_amount',
  [
    'refund',
    [
      'id',
      'transaction_id',
      'amount',
      'currency_code',
      'formatted_amount',
      'status',
      'waiting_for',
      'due_at',
      'description',
      'reason',
      'created_at',
      'reviewed_at',
      'end_at',
    ],
  ],
  ['difference', ['operation', 'refund_id', 'requested_amount', 'bank_amount', 'currency_code']],
]
