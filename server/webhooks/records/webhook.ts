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
import type { RowOf } from '../../../kit/runtime/table.ts'
import { bigint, defineMerchantTable, jsonb, text, timestamptz } from '../../../kit/runtime/table.ts'
import type { LocalizedText } from '../../../kit/text/locale.ts'
import { isoTime } from '../../../kit/text/zoned-time.ts'
import type { Config } from '../../config.ts'
import type { EventKind } from '../../events/index.ts'
import { eventKinds } from '../../events/index.ts'
import type { Merchant } from '../../merchants/index.ts'
import { checkWebhookUrl, parseWebhookUrlField } from './url.ts'

/** The merchant or an operator disabled the webhook, it answered 410, or it failed for five days. */
export type DisabledReason = 'merchant' | 'operator' | 'gone' | 'failing'

export const webhookStatuses = ['enabled', 'disabled'] as const

export const webhooks = defineMerchantTable('webhooks', {
  merchantId: bigint(),
  id: bigint(),
  url: text(),
  /** Subscribed kinds; null for all. */
  events: jsonb<readonly EventKind[]>().orNull(),
  description: text().orNull(),
  status: text<(typeof webhookStatuses)[number]>(),
  disabledBecause: text<DisabledReason>().orNull(),
  createdAt: timestamptz(),
  updatedAt: timestamptz(),
  /** A deleted webhook is kept until its last delivery is purged. */
  deletedAt: timestamptz().orNull(),
})

/** Address that a merchant's events are sent to. */
export type Webhook = Omit<RowOf<typeof webhooks>, 'deletedAt'>

export const webhookHealth = defineMerchantTable('webhook_health', {
  merchantId: bigint(),
  webhookId: bigint(),
  /** End of the pause that the webhook asked for. */
  pausedUntil: timestamptz().orNull(),
  /** Start of the period in which every attempt has failed. */
  failingSince: timestamptz().orNull(),
  lastFailedAt: timestamptz().orNull(),
})

/** All kinds, including future ones. */
const allKinds = '*'

const kindWords = [...eventKinds, allKinds] as const

export const webhookFields = {
  url: parsedTextField<string>(
    {
      tr: 'Olayların `POST` ile gönderileceği adres. Canlı üye iş yerlerinde https:// ile başlamalıdır.',
      en: 'Address to which events are sent by `POST`. For live merchants it must begin with https://.',
    },
    { max: maxUrlLength, parse: parseWebhookUrlField, example: 'https://shop.example/webhooks' },
  ),
  events: optional(
    listField(
      {
        tr: 'Gönderilecek olay türleri; `*` bütün türlerdir. Gönderilmezse oluştururken bütün türler seçilir, değiştirirken türler aynı kalır.',
        en: 'Event types to send; `*` means all types. If not sent: all types on creation, unchanged on a change.',
      },
      choiceField({ tr: 'Olay türü veya `*`.', en: 'Event type, or `*`.' }, kindWords),
      { max: kindWords.length },
    ),
  ),
  description: optional(
    textField(
      { tr: 'Kendi notunuz; gönderimleri etkilemez.', en: 'Your own note; it has no effect.' },
      { max: 1000, example: 'Sipariş sistemi' },
    ),
  ),
}

/** Complaints about an address that this merchant may not use, and about kinds that exclude each other. */
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
  tr: '`*` bütün türler demektir; başka bir türle birlikte gönderilemez.',
  en: '`*` means all types; it cannot be sent with another type.',
}

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
  en: 'There is no webhook with this ID.',
}

export const webhookIdParams = objectSchema({
  webhook_id: idField({ tr: 'Webhook numarası.', en: 'ID of the webhook.' }),
})

export const ShownWebhook = resourceSchema(
  'Webhook',
  { tr: 'Olayların gönderildiği bir adres.', en: 'Address to which events are sent.' },
  {
    id: shownIntegerSchema({ tr: 'Webhook numarası.', en: 'ID of the webhook.' }, 10000000000701),
    url: shownTextSchema(
      { tr: 'Olayların gönderildiği adres.', en: 'Address to which events are sent.' },
      'https://shop.example/webhooks',
    ),
    events: shownListSchema(
      {
        tr: 'Gönderilen olay türleri; bütün türler için yalnızca `*`.',
        en: 'Event types that are sent; only `*` for all types.',
      },
      shownChoiceSchema({ tr: 'Olay türü veya `*`.', en: 'Event type, or `*`.' }, kindWords, allKinds),
    ),
    description: nullableSchema(
      shownTextSchema(
        { tr: 'Kendi notunuz; yoksa null.', en: 'Your own note; null if not set.' },
        'Sipariş sistemi',
      ),
    ),
    status: shownChoiceSchema(
      {
        tr: 'Webhook’un durumu. `enabled`: olaylar gönderilir. `disabled`: olaylar gönderilmez; çünkü siz veya hizmeti işletenler kapattı, adres 410 yanıtı verdi ya da beş gün boyunca hiçbir gönderim başarılı olmadı.',
        en: 'Status of the webhook. `enabled`: events are sent. `disabled`: events are not sent, because you or the operator of the service disabled it, the address responded with 410, or no delivery succeeded for five days.',
      },
      webhookStatuses,
    ),
    created_at: shownTimeSchema({ tr: 'Oluşturulduğu tarih ve saat.', en: 'Time of creation.' }),
    updated_at: shownTimeSchema({ tr: 'Son değişikliğin tarihi ve saati.', en: 'Time of the last change.' }),
  },
)

/** Webhook with its secret, which is shown only when it is created. */
export const ShownWebhookWithSecret = resourceSchema(
  'WebhookWithSecret',
  {
    tr: 'Webhook ve yalnızca bir kez gösterilen imza anahtarı.',
    en: 'Webhook with its signing secret, which is shown only once.',
  },
  {
    ...ShownWebhook.properties,
    secret: shownTextSchema(
      {
        tr: 'Gönderimleri imzalayan anahtar. Yalnızca bu yanıtta gösterilir; saklayın.',
        en: 'Secret that signs the deliveries. It is shown only in this response: store it.',
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
