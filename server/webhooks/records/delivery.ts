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
import { isoTime } from '../../../kit/text/zoned-time.ts'
import type { EventKind } from '../../events/index.ts'
import { eventKinds } from '../../events/index.ts'
import type { Merchant } from '../../merchants/index.ts'
import type { Webhook } from './webhook.ts'

/** Kind of a test. A test is not an event. */
export const testDeliveryKind = 'webhook.test'

export type EventOrTestKind = EventKind | typeof testDeliveryKind

const deliveryKinds = [...eventKinds, testDeliveryKind] as const

export const deliveryStates = ['pending', 'delivered', 'failed'] as const

const deliveryReasons = ['event', 'resend', 'test'] as const

/** Delivery of an event or a test to a webhook. */
export interface Delivery {
  merchantId: number
  id: number
  webhookId: number
  /** Id of the event; for a test, the delivery's own id. */
  eventId: number
  kind: EventOrTestKind
  reason: (typeof deliveryReasons)[number]
  state: (typeof deliveryStates)[number]
  /** Attempts so far. */
  attemptCount: number
  /** Time of the next attempt; null for an ended delivery. */
  dueAt: Date | null
  createdAt: Date
  endedAt: Date | null
}

/** Errors of an attempt: in transit, or in signing. */
export const deliveryErrorCodes = [...outboundFaults, 'not_signed'] as const

export type DeliveryErrorCode = (typeof deliveryErrorCodes)[number]

/** Result of one attempt. */
export interface DeliveryAttempt {
  number: number
  beganAt: Date
  durationMs: number
  status: number | null
  fault: DeliveryErrorCode | null
  /** Beginning of the response. */
  answer: string
  nextAttemptAt: Date | null
}

/** A delivery with all its attempts. */
export interface DeliveryWithAttempts extends Delivery {
  attempts: DeliveryAttempt[]
}

/** Health of the webhook that a delivery goes to. */
export interface WebhookHealth extends Pick<Webhook, 'status'> {
  /** End of the pause that the webhook asked for. */
  quietUntil: Date | null
}

/**
 * Time of the next attempt; null if there is none while the webhook is disabled, or none at all. A test
 * ignores both the status and the pause.
 */
export function effectiveNextAttemptAt(
  { dueAt, reason }: Delivery,
  { status, quietUntil }: WebhookHealth,
): Date | null {
  if (reason === 'test' || dueAt === null) return dueAt
  if (status === 'disabled') return null
  return quietUntil !== null && quietUntil > dueAt ? quietUntil : dueAt
}

const ShownDeliveryAttempt = resourceSchema(
  'WebhookDeliveryAttempt',
  { tr: 'Bir gönderim denemesi.', en: 'One try to deliver.' },
  {
    number: shownIntegerSchema({ tr: 'Kaçıncı deneme olduğu.', en: 'Which one it is, from 1.' }, 1),
    began_at: shownTimeSchema({ tr: 'Denemenin başladığı tarih ve saat.', en: 'When it began.' }),
    duration_ms: shownIntegerSchema(
      { tr: 'Kaç milisaniye sürdüğü.', en: 'How long it took, in milliseconds.' },
      212,
    ),
    status_code: nullableSchema(
      shownIntegerSchema(
        {
          tr: 'Gelen yanıtın HTTP durum kodu; yanıt gelmediyse null.',
          en: 'The HTTP status that was answered, or null.',
        },
        503,
      ),
    ),
    error: {
      ...nullableSchema(
        shownChoiceSchema(
          {
            tr: 'Tam bir yanıt alınamadıysa nedeni: süre doldu, alan adı bulunamadı, adrese izin yok, bağlantı reddedildi, bağlantı koptu, TLS kurulamadı, yanıt HTTP değil, imzalanamadı. Alındıysa null.',
            en: 'Why there is no whole answer: it took too long, the name was not found, the address is not allowed, the connection was refused or reset, TLS failed, it was not HTTP, we could not sign it. Null if there is one.',
          },
          deliveryErrorCodes,
        ),
      ),
      examples: [null],
    },
    answer: shownTextSchema(
      {
        tr: 'Gelen yanıtın gövdesinin başı; listelerde ilk 1000 karakter, tek gönderimde ilk 20 kB.',
        en: 'The beginning of the body that was answered: in lists 1000 characters, of one delivery 20 kB.',
      },
      'upstream is away',
    ),
    next_try_at: nullableSchema(
      shownTimeSchema(
        {
          tr: 'Bu denemeden sonra belirlenen bir sonraki denemenin tarihi ve saati; yoksa null.',
          en: 'When the next try was to be after this one, or null.',
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
    en: 'An event on its way to a webhook, with every try.',
  },
  {
    id: shownIntegerSchema({ tr: 'Gönderim numarası.', en: 'Its id.' }, 10000000000801),
    event_id: shownIntegerSchema(
      {
        tr: 'Olayın numarası; `webhook-id` başlığında da bu gönderilir. Test gönderiminde kendi numarası.',
        en: 'The id of the event, which is also its `webhook-id`. Of a test, its own id.',
      },
      10000000000751,
    ),
    type: shownChoiceSchema(
      {
        tr: 'Olayın türü; test gönderiminde `webhook.test`.',
        en: 'The kind of the event; of a test `webhook.test`.',
      },
      deliveryKinds,
    ),
    reason: shownChoiceSchema(
      {
        tr: 'Neden gönderildiği: `event` olay gerçekleşti, `resend` yeniden gönderilmesi istendi, `test` test edilmesi istendi.',
        en: 'Why it is sent: the `event` happened, somebody asked to `resend` it, or it is a `test`.',
      },
      deliveryReasons,
    ),
    status: shownChoiceSchema(
      {
        tr: '`pending` denenecek, `delivered` 2xx ile yanıtlandı, `failed` artık denenmeyecek.',
        en: '`pending` will be tried, `delivered` was answered with 2xx, `failed` is tried no more.',
      },
      deliveryStates,
    ),
    created_at: shownTimeSchema({ tr: 'Oluşturulduğu tarih ve saat.', en: 'When it was made.' }),
    next_try_at: nullableSchema(
      shownTimeSchema(
        {
          tr: 'Bir sonraki denemenin tarihi ve saati; sonuçlandıysa veya webhook kapalıysa null.',
          en: 'When it is tried next; null when it has come to its end, or its webhook is disabled.',
        },
        '2026-11-15T09:30:05+03:00',
      ),
    ),
    attempts: shownListSchema(
      { tr: 'Denemeler, ilkinden başlayarak.', en: 'The tries, the first one first.' },
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
  health: WebhookHealth,
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
    next_try_at: time(effectiveNextAttemptAt(delivery, health)),
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
