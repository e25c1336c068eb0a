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
  'payment.succeeded': { tr: 'Ödeme alındı.', en: 'A payment was paid.' },
  'payment.failed': {
    tr: 'Ödeme başarısız oldu: deneme hakkı kalmadı.',
    en: 'A payment failed: no attempt is left.',
  },
  'payment.expired': {
    tr: 'Ödeme sayfasının süresi ödeme yapılmadan doldu.',
    en: 'A payment page expired unpaid.',
  },
  'payment.pre_authorized': {
    tr: 'Tutar ön provizyon olarak bloke edildi.',
    en: 'An amount is held as a pre-authorization.',
  },
  'pre_auth.completed': { tr: 'Ön provizyon tahsil edildi.', en: 'A pre-authorization was taken.' },
  'pre_auth.failed': {
    tr: 'Ön provizyon tahsil edilmeden sonlandı: serbest bırakıldı veya banka tahsilatı reddetti.',
    en: 'A pre-authorization ended without being taken: it was released, or the bank refused.',
  },
  'refund.created': { tr: 'İade talep edildi.', en: 'A refund was asked for.' },
  'refund.executed': { tr: 'İade gerçekleştirildi.', en: 'A refund was carried out.' },
  'refund.rejected': { tr: 'İade incelemede reddedildi.', en: 'A refund was rejected by the review.' },
  'refund.failed': { tr: 'Banka iadeyi reddetti.', en: 'The bank refused a refund.' },
  'payment.amount_differs': {
    tr: 'Bankanın bir ödemede istenenden farklı bir tutar çektiği anlaşıldı. İşlemin durumu değişmez.',
    en: 'The bank turned out to have charged another amount for a payment. The transaction keeps its status.',
  },
  'pre_auth.amount_differs': {
    tr: 'Bankanın bir ön provizyonda ya da kapamasında istenenden farklı bir tutarla işlem yaptığı anlaşıldı. İşlemin durumu değişmez.',
    en: 'The bank turned out to hold or to have captured another amount of a pre-authorization. The transaction keeps its status.',
  },
  'refund.amount_differs': {
    tr: 'Bankanın istenenden farklı bir tutar iade ettiği anlaşıldı. İşlemin durumu değişmez.',
    en: 'The bank turned out to have given back another amount than a refund asked for. The transaction keeps its status.',
  },
}

/** Data of a refund event: the transaction, with the refund beside its fields. */
const TransactionWithRefund = resourceSchema(
  'TransactionResultWithRefund',
  {
    tr: 'Bir ödeme işleminin sonucu ve yanında iade talebi.',
    en: 'The result of a transaction, with the refund beside its fields.',
  },
  { ...ShownTransaction.properties, refund: ShownRefund },
)

/** Data of a difference event: the transaction, with the difference beside its fields. */
const TransactionWithDifference = resourceSchema(
  'TransactionResultWithDifference',
  {
    tr: 'Bir ödeme işleminin sonucu ve yanında tutar farkı.',
    en: 'The result of a transaction, with a difference of amounts beside its fields.',
  },
  { ...ShownTransaction.properties, difference: ShownDifference },
)

const TestData = resourceSchema(
  'WebhookTest',
  { tr: 'Hangi webhook’un test edildiği.', en: 'Which webhook is tested.' },
  {
    webhook_id: shownIntegerSchema({ tr: 'Webhook numarası.', en: 'The id of the webhook.' }, 10000000000701),
  },
)

/** Header names are those of Standard Webhooks. */
const headers = resourceSchema(
  'WebhookHeaders',
  { tr: 'Gönderim başlıkları.', en: 'The headers of a delivery.' },
  {
    'webhook-id': shownTextSchema(
      {
        tr: 'Olayın numarası; yeniden gönderimlerde de aynıdır. Aynı olayı iki kez işlememek için kullanınız.',
        en: 'The id of the event, the same however often it is sent. Use it to handle an event once.',
      },
      '10000000000789',
    ),
    'webhook-timestamp': shownTextSchema(
      {
        tr: 'Bu denemenin zamanı, Unix zamanıyla (saniye).',
        en: 'The moment of this try, in seconds of Unix time.',
      },
      '1794724305',
    ),
    'webhook-signature': shownTextSchema(
      {
        tr: 'Boşlukla ayrılmış imzalar: `v1,` ve ardından `webhook-id.webhook-timestamp.gövde` metninin HMAC-SHA256 değeri, base64 ile. İmza anahtarı yenilendikten sonraki 24 saat boyunca birden fazladır; birinin doğru olması yeterlidir.',
        en: 'Signatures divided by spaces: `v1,` and the HMAC-SHA256 of `webhook-id.webhook-timestamp.body` in base64. For 24 hours after a secret was rotated there are several; one that is right is enough.',
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
      en: `${en} The body is signed. Every answer but 2xx is a failure and tried again; 410 disables the webhook.`,
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
  const when = { tr: 'Webhook’un test edilmesi istendi.', en: 'Somebody asked to test the webhook.' }
  const body = bodyOf(testDeliveryKind, TestData)
  return {
    name: testDeliveryKind,
    summary: when,
    description: {
      tr: `${when.tr} Gövde imzalıdır. Bir kez gönderilir, yeniden denenmez; 410 webhook’u kapatır.`,
      en: `${when.en} The body is signed. It is sent once and not tried again; 410 disables the webhook.`,
    },
    headers,
    body,
    example: schemaExample(body, 'tr'),
  }
}

function bodyOf(kind: EventOrTestKind, data: TObject): TObject {
  return resourceSchema(
    bodyName(kind),
    { tr: `Bir \`${kind}\` gönderiminin gövdesi.`, en: `The body of a \`${kind}\`.` },
    {
      type: shownChoiceSchema({ tr: 'Ne olduğu.', en: 'What happened.' }, [kind]),
      timestamp: shownTimeSchema(
        { tr: 'Gerçekleştiği tarih ve saat.', en: 'When it happened.' },
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
