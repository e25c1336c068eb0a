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
import { duplicateEntry } from '../../../kit/input/complaints.ts'
import {
  choiceField,
  idField,
  listField,
  objectSchema,
  optional,
  parsedTextField,
  textField,
} from '../../../kit/input/fields.ts'
import { maxUrlLength } from '../../../kit/input/http-url.ts'
import { originalListIndex } from '../../../kit/input/parse-input.ts'
import type { Complaints } from '../../../kit/input/refusals.ts'
import type { LocalizedText } from '../../../kit/text/locale.ts'
import { isoTime } from '../../../kit/text/zoned-time.ts'
import type { Config } from '../../config.ts'
import type { EventKind } from '../../events/index.ts'
import { eventKinds } from '../../events/index.ts'
import type { Merchant } from '../../merchants/index.ts'
import { checkWebhookUrl, parseWebhookUrlField } from './url.ts'

/**
 * Reason for a disabled webhook: the merchant or an operator disabled it, it answered 410, or it failed for
 * five days.
 */
export type DisabledReason = 'merchant' | 'operator' | 'gone' | 'failing'

export const webhookStatuses = ['enabled', 'disabled'] as const

/** Address that a merchant's events are sent to. */
export interface Webhook {
  merchantId: number
  id: number
  url: string
  /** Subscribed kinds; null for all. */
  events: readonly EventKind[] | null
  description: string | null
  status: (typeof webhookStatuses)[number]
  disabledBecause: DisabledReason | null
  createdAt: Date
  updatedAt: Date
}

/** All kinds, including future ones. */
const allKinds = '*'

const kindWords = [...eventKinds, allKinds] as const

/** Fields of a webhook, on creation and on changes. */
export const webhookFields = {
  url: parsedTextField<string>(
    {
      tr: 'Olayların POST ile gönderileceği adres. Canlı üye iş yerlerinde https olmalıdır.',
      en: 'Where events are sent to, by POST. For live merchants it must be https.',
    },
    { max: maxUrlLength, parse: parseWebhookUrlField, example: 'https://shop.example/webhooks' },
  ),
  events: optional(
    listField(
      {
        tr: 'Gönderilecek olay türleri; `*` ise hepsi. Oluştururken verilmezse de hepsi, değiştirirken verilmezse olduğu gibi kalır.',
        en: 'The kinds of events that are sent; `*` means all. Not given, all on creation; on a change they stay as they are.',
      },
      choiceField({ tr: 'Bir olay türü veya `*`.', en: 'A kind of event, or `*`.' }, kindWords),
      { max: kindWords.length },
    ),
  ),
  description: optional(
    textField(
      { tr: 'Kendi notunuz; gönderimleri etkilemez.', en: 'A note of your own; it changes nothing.' },
      { max: 1000, example: 'Sipariş sistemi' },
    ),
  ),
}

/**
 * Complaints beyond single parameters: an address that this merchant may not use, and kinds that exclude each
 * other.
 */
export function webhookInputComplaints(
  config: Config,
  merchant: Merchant,
  { url, events }: { url?: string; events?: readonly string[] | null },
): Complaints {
  const complaints: Complaints = new Map()
  const objection = url === undefined ? undefined : checkWebhookUrl(config, merchant, url)
  if (objection) complaints.set('url', [objection])
  const known = new Set<string>()
  for (const [index, kind] of (events ?? []).entries()) {
    const name = `events.${originalListIndex(events ?? [], index)}`
    if (known.has(kind)) complaints.set(name, [duplicateEntry(kind)])
    else if (known.size > 0 && (kind === allKinds || known.has(allKinds))) complaints.set(name, [allAlone])
    known.add(kind)
  }
  return complaints
}

const allAlone: LocalizedText = {
  tr: '`*` bütün türler demektir; yanında başka bir tür verilemez.',
  en: '`*` means all kinds; no other can be given beside it.',
}

/** Subscribed kinds; null for all. */
export function eventKindsOrNullForAll(
  events: readonly (typeof kindWords)[number][] | null | undefined,
): Webhook['events'] {
  const kinds = (events ?? []).filter((kind) => kind !== allKinds)
  return kinds.length === 0 ? null : kinds
}

export function isSubscribed({ events }: Pick<Webhook, 'events'>, kind: EventKind): boolean {
  return events?.includes(kind) ?? true
}

export const noSuchWebhookComplaint: LocalizedText = {
  tr: 'Bu numarayla bir webhook yok.',
  en: 'There is no webhook with this id.',
}

export const webhookIdParams = objectSchema({
  webhook_id: idField({ tr: 'Webhook numarası.', en: 'The id of the webhook.' }),
})

export const ShownWebhook = resourceSchema(
  'Webhook',
  { tr: 'Olayların gönderildiği bir adres.', en: 'An address that events are sent to.' },
  {
    id: shownIntegerSchema({ tr: 'Webhook numarası.', en: 'Its id.' }, 10000000000701),
    url: shownTextSchema(
      { tr: 'Olayların gönderildiği adres.', en: 'Where events are sent to.' },
      'https://shop.example/webhooks',
    ),
    events: shownListSchema(
      {
        tr: 'Gönderilen olay türleri; hepsi için yalnızca `*`.',
        en: 'The kinds of events that are sent; `*` alone for all.',
      },
      shownChoiceSchema(
        { tr: 'Bir olay türü veya `*`.', en: 'A kind of event, or `*`.' },
        kindWords,
        allKinds,
      ),
    ),
    description: nullableSchema(
      shownTextSchema({ tr: 'Notunuz; yoksa null.', en: 'Your note, or null.' }, 'Sipariş sistemi'),
    ),
    status: shownChoiceSchema(
      {
        tr: '`enabled` ise olaylar gönderilir. `disabled` ise gönderilmez: siz veya hizmeti işletenler kapattı, adres 410 yanıtı verdi ya da beş gün boyunca hiçbir gönderim başarılı olmadı.',
        en: '`enabled`: events are sent. `disabled`: they are not, because you or whoever operates the service said so, it answered 410, or nothing succeeded for five days.',
      },
      webhookStatuses,
    ),
    created_at: shownTimeSchema({ tr: 'Oluşturulduğu tarih ve saat.', en: 'When it was created.' }),
    updated_at: shownTimeSchema({ tr: 'Son değiştiği tarih ve saat.', en: 'When it last changed.' }),
  },
)

/** Webhook with its secret, which is shown only when it is created. */
export const ShownWebhookWithSecret = resourceSchema(
  'WebhookWithSecret',
  {
    tr: 'Bir webhook ve bir kez gösterilen imza anahtarı.',
    en: 'A webhook with its signing secret, which is shown once.',
  },
  {
    ...ShownWebhook.properties,
    secret: shownTextSchema(
      {
        tr: 'Gönderimlerin imzalandığı anahtar. Yalnızca bu yanıtta gösterilir; saklayınız.',
        en: 'What deliveries are signed with. It is shown now and never again: keep it.',
      },
      'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
    ),
  },
)

export function shownWebhook(webhook: Webhook, { timeZone }: Merchant): Static<typeof ShownWebhook> {
  return {
    id: webhook.id,
    url: webhook.url,
    events: [...(webhook.events ?? [allKinds])],
    description: webhook.description,
    status: webhook.status,
    created_at: isoTime(webhook.createdAt, timeZone),
    updated_at: isoTime(webhook.updatedAt, timeZone),
  }
}

export function shownWebhookWithSecret(
  { webhook, secret }: { webhook: Webhook; secret: string },
  merchant: Merchant,
): Static<typeof ShownWebhookWithSecret> {
  return { ...shownWebhook(webhook, merchant), secret }
}
