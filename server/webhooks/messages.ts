import type { TObject } from 'typebox'
import type { DocumentedWebhook } from '../../kit/api/openapi.ts'
import {
  resourceSchema,
  shownChoiceSchema,
  shownIntegerSchema,
  shownTextSchema,
  shownTimeSchema,
} from '../../kit/api/resource.ts'
import { schemaExample } from '../../kit/api/schema-example.ts'
import type { LocalizedText } from '../../kit/text/locale.ts'
import type { EventKind } from '../events/index.ts'
import { eventKinds } from '../events/index.ts'
import { ShownDifference, ShownTransaction } from '../payments/index.ts'
import { ShownRefund } from '../refunds/index.ts'
import {
  amountDifferenceExampleOverrides,
  refundExampleOverrides,
  transactionExampleOverrides,
} from './message-examples.ts'
import type { EventOrTestKind } from './records/delivery.ts'
import { testDeliveryKind } from './records/delivery.ts'

/** Occasion of each kind. */
const whens: Readonly<Record<EventKind, LocalizedText>> = {
  'payment.succeeded': { tr: 'Ödeme başarılı oldu.', en: 'A payment succeeded.' },
  'payment.failed': {
    tr: 'Ödeme başarısız oldu: deneme hakkı kalmadı.',
    en: 'A payment failed: no attempts are left.',
  },
  'payment.expired': {
    tr: 'Ödeme sayfasının süresi ödeme yapılmadan doldu.',
    en: 'A payment page expired without a payment.',
  },
  'payment.pre_authorized': {
    tr: 'Tutar ön provizyon olarak bloke edildi.',
    en: 'The amount of a payment is held as a pre-authorization.',
  },
  'pre_auth.completed': {
    tr: 'Ön provizyon kapatıldı: tutar tahsil edildi.',
    en: 'A pre-authorization was captured.',
  },
  'pre_auth.failed': {
    tr: 'Ön provizyon tahsil edilmeden sona erdi: iptal edildi veya banka kapamayı reddetti.',
    en: 'A pre-authorization ended without a capture: it was released, or the bank declined the capture.',
  },
  'refund.created': { tr: 'İade talep edildi.', en: 'A refund was requested.' },
  'refund.executed': { tr: 'İade gerçekleştirildi.', en: 'A refund was executed.' },
  'refund.rejected': { tr: 'İade incelemede reddedildi.', en: 'The review rejected a refund.' },
  'refund.failed': { tr: 'Banka iadeyi reddetti.', en: 'The bank declined a refund.' },
  'payment.amount_differs': {
    tr: 'Banka, bir ödemede istenenden farklı bir tutar çekti. İşlemin durumu değişmez.',
    en: 'The bank charged another amount than requested. The status of the transaction does not change.',
  },
  'pre_auth.amount_differs': {
    tr: 'Banka, bir ön provizyonda veya provizyon kapamada istenenden farklı bir tutarla işlem yaptı. İşlemin durumu değişmez.',
    en: 'The bank held or captured another amount of a pre-authorization than requested. The status of the transaction does not change.',
  },
  'refund.amount_differs': {
    tr: 'Banka, istenenden farklı bir tutar iade etti. İşlemin durumu değişmez.',
    en: 'The bank refunded another amount than requested. The status of the transaction does not change.',
  },
}

/** Data of a refund event: the transaction, with the refund beside its fields. */
const TransactionWithRefund = resourceSchema(
  'TransactionResultWithRefund',
  {
    tr: 'Ödeme işleminin sonucu ve iade talebi.',
    en: 'Result of a transaction, with the refund.',
  },
  { ...ShownTransaction.properties, refund: ShownRefund },
)

/** Data of a difference event: the transaction, with the difference beside its fields. */
const TransactionWithDifference = resourceSchema(
  'TransactionResultWithDifference',
  {
    tr: 'Ödeme işleminin sonucu ve tutar farkı.',
    en: 'Result of a transaction, with the difference of amounts.',
  },
  { ...ShownTransaction.properties, difference: ShownDifference },
)

const TestData = resourceSchema(
  'WebhookTest',
  { tr: 'Test edilen webhook.', en: 'Webhook that is tested.' },
  {
    webhook_id: shownIntegerSchema({ tr: 'Webhook numarası.', en: 'ID of the webhook.' }, 10000000000701),
  },
)

/** Header names are those of Standard Webhooks. */
const headers = resourceSchema(
  'WebhookHeaders',
  { tr: 'Gönderim başlıkları.', en: 'Headers of a delivery.' },
  {
    'webhook-id': shownTextSchema(
      {
        tr: 'Olayın numarası; yeniden gönderimlerde değişmez. Her olayı bir kez işlemek için kullanın.',
        en: 'ID of the event; the same in every attempt and resend. Use it to process each event once.',
      },
      '10000000000789',
    ),
    'webhook-timestamp': shownTextSchema(
      {
        tr: 'Bu denemenin zamanı; Unix zamanı, saniye.',
        en: 'Time of this attempt, as Unix time in seconds.',
      },
      '1794724305',
    ),
    'webhook-signature': shownTextSchema(
      {
        tr: 'Boşlukla ayrılmış imzalar. Her imza `v1,` ile başlar; ardından `webhook-id.webhook-timestamp.gövde` metninin HMAC-SHA256 değeri base64 ile yazılır. İmza anahtarı yenilendikten sonra 24 saat boyunca birden fazla imza bulunur; birinin doğru olması yeterlidir.',
        en: 'Signatures, separated by spaces. Each is `v1,` and the HMAC-SHA256 of `webhook-id.webhook-timestamp.body` in base64. For 24 hours after a rotation of the secret there are several signatures; one valid signature is enough.',
      },
      'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
    ),
  },
)

/** All messages that webhooks receive. */
export const documentedWebhookMessages: readonly DocumentedWebhook[] = [
  ...eventKinds.map(eventMessage),
  testMessage(),
]

function eventMessage(kind: EventKind): DocumentedWebhook {
  const { tr, en } = whens[kind]
  const refunded = refundExampleOverrides[kind]
  const difference = amountDifferenceExampleOverrides[kind]
  const data = refunded ? TransactionWithRefund : difference ? TransactionWithDifference : ShownTransaction
  const body = bodyOf(kind, data)
  const { timestamp, data: example } = schemaExample(body, 'tr') as Example
  return {
    name: kind,
    summary: whens[kind],
    description: {
      tr: `${tr} Gövde imzalıdır. 2xx dışındaki her yanıt başarısız sayılır ve yeniden denenir; 410 webhook’u kapatır.`,
      en: `${en} The body is signed. Every response other than 2xx is a failure and is retried; 410 disables the webhook.`,
    },
    headers,
    body,
    example: {
      type: kind,
      timestamp: refunded?.at ?? timestamp,
      data: {
        ...example,
        ...transactionExampleOverrides[kind],
        ...(refunded && { refund: { ...example.refund, ...refunded.refund } }),
        ...(difference && { difference: { ...example.difference, ...difference } }),
      },
    },
  }
}

interface Example {
  timestamp: string
  data: { refund?: object; difference?: object }
}

function testMessage(): DocumentedWebhook {
  const when = { tr: 'Webhook’un test edilmesi istendi.', en: 'A test of the webhook was requested.' }
  const body = bodyOf(testDeliveryKind, TestData)
  return {
    name: testDeliveryKind,
    summary: when,
    description: {
      tr: `${when.tr} Gövde imzalıdır. Bir kez gönderilir, yeniden denenmez; 410 webhook’u kapatır.`,
      en: `${when.en} The body is signed. It is sent once and is not retried; 410 disables the webhook.`,
    },
    headers,
    body,
    example: schemaExample(body, 'tr'),
  }
}

function bodyOf(kind: EventOrTestKind, data: TObject): TObject {
  return resourceSchema(
    bodyName(kind),
    { tr: `\`${kind}\` gönderiminin gövdesi.`, en: `Body of a \`${kind}\` delivery.` },
    {
      type: shownChoiceSchema({ tr: 'Olayın türü.', en: 'Type of the event.' }, [kind]),
      timestamp: shownTimeSchema(
        { tr: 'Olayın gerçekleştiği tarih ve saat.', en: 'Time of the event.' },
        '2026-11-15T09:31:45+03:00',
      ),
      data,
    },
  )
}

/** Schema name, for example `PaymentSucceededMessage`. */
function bodyName(kind: EventOrTestKind): string {
  return `${kind.replaceAll(/(?:^|[._])([a-z])/g, (_whole, letter: string) => letter.toUpperCase())}Message`
}
