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
import { eventMessages } from './event-messages.ts'
import type { EventOrTestKind } from './records/delivery.ts'
import { testDeliveryKind } from './records/delivery.ts'

const TransactionWithRefund = resourceSchema(
  'TransactionResultWithRefund',
  { tr: 'Ödeme işleminin sonucu ve iade talebi.', en: 'Result of a transaction, with the refund.' },
  { ...ShownTransaction.properties, refund: ShownRefund },
)

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
  documented(
    testDeliveryKind,
    { tr: 'Webhook’un test edilmesi istendi.', en: 'A test of the webhook was requested.' },
    { tr: 'Bir kez gönderilir, yeniden denenmez', en: 'It is sent once and is not retried' },
    TestData,
  ),
]

function eventMessage(kind: EventKind): DocumentedWebhook {
  const { transaction, refund, difference, ...when } = eventMessages[kind]
  const retry = {
    tr: '2xx dışındaki her yanıt başarısız sayılır ve yeniden denenir',
    en: 'Every response other than 2xx is a failure and is retried',
  }
  const data = refund ? TransactionWithRefund : difference ? TransactionWithDifference : ShownTransaction
  const message = documented(kind, when, retry, data)
  const { timestamp, data: example } = message.example as Example
  return {
    ...message,
    example: {
      type: kind,
      timestamp: refund?.end_at ?? refund?.created_at ?? timestamp,
      data: {
        ...example,
        ...transaction,
        ...(refund && { refund: { ...example.refund, ...refund } }),
        ...(difference && { difference: { ...example.difference, ...difference } }),
      },
    },
  }
}

interface Example {
  timestamp: string
  data: { refund?: object; difference?: object }
}

function documented(
  kind: EventOrTestKind,
  when: LocalizedText,
  retry: LocalizedText,
  data: TObject,
): DocumentedWebhook {
  const upperCamelCase = kind.replaceAll(/(?:^|[._])([a-z])/g, (_whole, letter: string) =>
    letter.toUpperCase(),
  )
  const body = resourceSchema(
    `${upperCamelCase}Message`,
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
  return {
    name: kind,
    summary: when,
    description: {
      tr: `${when.tr} Gövde imzalıdır. ${retry.tr}; 410 webhook’u kapatır.`,
      en: `${when.en} The body is signed. ${retry.en}; 410 disables the webhook.`,
    },
    headers,
    body,
    example: schemaExample(body, 'tr'),
  }
}
