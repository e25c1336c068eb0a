import type { Static } from 'typebox'
import {
  nullableSchema,
  resourceSchema,
  shownChoiceSchema,
  shownIntegerSchema,
  shownListSchema,
  shownTextSchema,
  shownTimeSchema,
} from '../../../kit/api/resource.ts'
import { outboundFaults } from '../../../kit/outbound/outbound-client.ts'
import type { RowOf } from '../../../kit/runtime/table.ts'
import { bigint, defineMerchantTable, integer, text, timestamptz } from '../../../kit/runtime/table.ts'
import { isoTime } from '../../../kit/text/zoned-time.ts'
import type { EventKind } from '../../events/index.ts'
import { eventKinds } from '../../events/index.ts'
import type { Merchant } from '../../merchants/index.ts'
import type { Webhook, webhookHealth } from './webhook.ts'

/** Kind of a test. A test is not an event. */
export const testDeliveryKind = 'webhook.test'

export type EventOrTestKind = EventKind | typeof testDeliveryKind

const deliveryKinds = [...eventKinds, testDeliveryKind] as const

export const deliveryStates = ['pending', 'delivered', 'failed'] as const

const deliveryReasons = ['event', 'resend', 'test'] as const

export const webhookDeliveries = defineMerchantTable('webhook_deliveries', {
  merchantId: bigint(),
  id: bigint(),
  webhookId: bigint(),
  /** Id of the event; for a test, the delivery's own id. */
  eventId: bigint(),
  kind: text<EventOrTestKind>(),
  reason: text<(typeof deliveryReasons)[number]>(),
  state: text<(typeof deliveryStates)[number]>(),
  attemptCount: integer(),
  /** Time of the next attempt; null for an ended delivery. */
  dueAt: timestamptz().orNull(),
  createdAt: timestamptz(),
  endedAt: timestamptz().orNull(),
})

/** Delivery of an event or a test to a webhook. */
export type Delivery = RowOf<typeof webhookDeliveries>

/** Errors of an attempt: in transit, or in signing. */
export const deliveryErrorCodes = [...outboundFaults, 'not_signed'] as const

export type DeliveryErrorCode = (typeof deliveryErrorCodes)[number]

export const webhookAttempts = defineMerchantTable('webhook_attempts', {
  merchantId: bigint(),
  deliveryId: bigint(),
  number: integer(),
  beganAt: timestamptz(),
  durationMs: integer(),
  status: integer().orNull(),
  fault: text<DeliveryErrorCode>().orNull(),
  /** Beginning of the response. */
  answer: text(),
  nextAttemptAt: timestamptz().orNull(),
})

export type DeliveryAttempt = Omit<RowOf<typeof webhookAttempts>, 'merchantId' | 'deliveryId'>

/** A delivery with all its attempts, and with the status and the pause of its webhook. */
export interface DeliveryWithAttempts extends Delivery, Pick<RowOf<typeof webhookHealth>, 'pausedUntil'> {
  webhookStatus: Webhook['status']
  attempts: DeliveryAttempt[]
}

/** Null without a further attempt, or while the webhook is disabled. A test ignores both status and pause. */
export function effectiveNextAttemptAt(delivery: DeliveryWithAttempts): Date | null {
  const { dueAt, reason, webhookStatus, pausedUntil } = delivery
  if (reason === 'test' || dueAt === null) return dueAt
  if (webhookStatus === 'disabled') return null
  return pausedUntil !== null && pausedUntil > dueAt ? pausedUntil : dueAt
}

const ShownDeliveryAttempt = resourceSchema(
  'WebhookDeliveryAttempt',
  { tr: 'Bir gönderimin denemesi.', en: 'Attempt of a delivery.' },
  {
    number: shownIntegerSchema(
      { tr: 'Denemenin sıra numarası; 1 ile başlar.', en: 'Number of the attempt, from 1.' },
      1,
    ),
    began_at: shownTimeSchema({
      tr: 'Denemenin başladığı tarih ve saat.',
      en: 'Time at which the attempt began.',
    }),
    duration_ms: shownIntegerSchema(
      { tr: 'Denemenin süresi, milisaniye.', en: 'Duration of the attempt, in milliseconds.' },
      212,
    ),
    status_code: nullableSchema(
      shownIntegerSchema(
        {
          tr: 'Gelen yanıtın HTTP durum kodu; yanıt gelmediyse null.',
          en: 'HTTP status of the response; null without a response.',
        },
        503,
      ),
    ),
    error: {
      ...nullableSchema(
        shownChoiceSchema(
          {
            tr: 'Tam bir yanıt alınamadıysa nedeni: zaman aşımı, alan adı bulunamadı, adrese izin yok, bağlantı reddedildi, bağlantı koptu, TLS kurulamadı, yanıt HTTP değil veya istek imzalanamadı. Tam bir yanıt alındıysa null.',
            en: 'Reason for an incomplete response: timeout, host name not found, address not allowed, connection refused, connection reset, TLS failure, response not HTTP, or request not signed. Null if the response is complete.',
          },
          deliveryErrorCodes,
        ),
      ),
      examples: [null],
    },
    answer: shownTextSchema(
      {
        tr: 'Yanıt gövdesinin başı: listelerde ilk 1000 karakter, tek gönderimde ilk 20 kB.',
        en: 'Beginning of the response body: the first 1000 characters in lists, the first 20 kB for a single delivery.',
      },
      'upstream is away',
    ),
    next_try_at: nullableSchema(
      shownTimeSchema(
        {
          tr: 'Bu denemeden sonra planlanan denemenin tarihi ve saati; yoksa null.',
          en: 'Time of the next attempt as planned after this attempt; null if there is none.',
        },
        '2026-11-15T09:30:05+03:00',
      ),
    ),
  },
)

export const ShownDelivery = resourceSchema(
  'WebhookDelivery',
  {
    tr: 'Bir olayın bir webhook’a gönderimi, bütün denemeleriyle.',
    en: 'Delivery of an event to a webhook, with all its attempts.',
  },
  {
    id: shownIntegerSchema({ tr: 'Gönderim numarası.', en: 'ID of the delivery.' }, 10000000000801),
    event_id: shownIntegerSchema(
      {
        tr: 'Olayın numarası; `webhook-id` başlığındaki değerdir. Test gönderiminde gönderimin kendi numarasıdır.',
        en: 'ID of the event, as in the `webhook-id` header. For a test, the ID of the delivery itself.',
      },
      10000000000751,
    ),
    type: shownChoiceSchema(
      {
        tr: 'Olayın türü; test gönderiminde `webhook.test`.',
        en: 'Type of the event; `webhook.test` for a test.',
      },
      deliveryKinds,
    ),
    reason: shownChoiceSchema(
      {
        tr: 'Gönderim nedeni: `event` olay gerçekleşti, `resend` yeniden gönderim istendi, `test` test istendi.',
        en: 'Reason of the delivery: `event` for a new event, `resend` for a requested resend, `test` for a test.',
      },
      deliveryReasons,
    ),
    status: shownChoiceSchema(
      {
        tr: 'Gönderimin durumu: `pending` denenecek, `delivered` 2xx ile yanıtlandı, `failed` artık denenmeyecek.',
        en: 'Status of the delivery: `pending` will be attempted, `delivered` got a 2xx response, `failed` is not attempted any more.',
      },
      deliveryStates,
    ),
    created_at: shownTimeSchema({ tr: 'Oluşturulduğu tarih ve saat.', en: 'Time of creation.' }),
    next_try_at: nullableSchema(
      shownTimeSchema(
        {
          tr: 'Bir sonraki denemenin tarihi ve saati; gönderim sonuçlandıysa veya webhook kapalıysa null.',
          en: 'Time of the next attempt; null after the last attempt, or while the webhook is disabled.',
        },
        '2026-11-15T09:30:05+03:00',
      ),
    ),
    attempts: shownListSchema(
      { tr: 'Denemeler, ilkinden başlayarak.', en: 'Attempts, oldest first.' },
      ShownDeliveryAttempt,
    ),
  },
)

const madeAt = '2026-11-15T09:50:00+03:00'
const untried = { status: 'pending', created_at: madeAt, next_try_at: madeAt, attempts: [] }

/** Examples of a test and of a resend, before the first attempt. */
export const testDeliveryExample = {
  ...untried,
  event_id: 10000000000801,
  type: testDeliveryKind,
  reason: 'test',
}
export const resentDeliveryExample = { ...untried, id: 10000000000802, reason: 'resend' }

export function shownDelivery(
  delivery: DeliveryWithAttempts,
  { timeZone }: Merchant,
): Static<typeof ShownDelivery> {
  const time = (at: Date | null) => at && isoTime(at, timeZone)
  return {
    id: delivery.id,
    event_id: delivery.eventId,
    type: delivery.kind,
    reason: delivery.reason,
    status: delivery.state,
    created_at: isoTime(delivery.createdAt, timeZone),
    next_try_at: time(effectiveNextAttemptAt(delivery)),
    attempts: delivery.attempts.map((attempt) => ({
      number: attempt.number,
      began_at: isoTime(attempt.beganAt, timeZone),
      duration_ms: attempt.durationMs,
      status_code: attempt.status,
      error: attempt.fault,
      answer: attempt.answer,
      next_try_at: time(attempt.nextAttemptAt),
    })),
  }
}
