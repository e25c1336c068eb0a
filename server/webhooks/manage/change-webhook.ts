import { isDeepStrictEqual } from 'node:util'
import type { Static } from 'typebox'
import { bareResponseDefinition, route } from '../../../kit/api/route.ts'
import { choiceField, schemaForUpdate } from '../../../kit/input/fields.ts'
import { Refused, validationFailed } from '../../../kit/input/refusals.ts'
import type { Sql } from '../../../kit/runtime/sql.ts'
import type { LocalizedText } from '../../../kit/text/locale.ts'
import { announceDueNow } from '../../instances/index.ts'
import type { Merchant } from '../../merchants/index.ts'
import type { Services } from '../../services.ts'
import { resetWebhookHealth, updateWebhook, webhookForUpdate } from '../records/webhook.sql.ts'
import type { DisabledReason, Webhook } from '../records/webhook.ts'
import {
  eventKindsOrNullForAll,
  ShownWebhook,
  shownWebhook,
  webhookFields,
  webhookIdParams,
  webhookInputComplaints,
  webhookStatuses,
} from '../records/webhook.ts'
import { requireMerchantWebhook } from './read-webhook.ts'

const status = choiceField(
  {
    tr: 'Webhook’un durumu. `enabled`: olaylar gönderilir, bekleyen gönderimler de devam eder. `disabled`: olaylar gönderilmez, bekleyen gönderimler bekler.',
    en: 'Status of the webhook. `enabled`: events are sent, and pending deliveries continue. `disabled`: events are not sent, and pending deliveries wait.',
  },
  webhookStatuses,
)

const ChangeWebhook = schemaForUpdate({ ...webhookFields, status }, ['events', 'description'], {
  description: { example: 'Muhasebe' },
})

type Input = Static<typeof ChangeWebhook>

export const changeWebhookRoute = route({
  method: 'POST',
  url: '/v1/webhooks/:webhook_id',
  summary: { tr: 'Webhook’u değiştir', en: 'Change webhook' },
  description: {
    tr: 'Yalnızca gönderilen alanları değiştirir ve webhook’un tamamını döndürür. `events` boş gönderilirse bütün türler seçilir; `description` boş gönderilirse silinir. Webhook kapalıyken gerçekleşen olaylar sonradan gönderilmez; bu olaylar olay listesinden okunabilir.',
    en: 'Changes only the fields that you send and returns the whole webhook. `events` sent empty selects all types; `description` sent empty is cleared. Events that happen while the webhook is disabled are not sent later; read them from the list of events.',
  },
  credential: 'secret',
  params: webhookIdParams,
  body: ChangeWebhook,
  answer: bareResponseDefinition(ShownWebhook),
  objections: async ({ config }: Services, merchant: Merchant, { body }) =>
    webhookInputComplaints(config, merchant, body),
  handle: async (services: Services, merchant: Merchant, { params, body }) => {
    const changed = await changeWebhook(services, merchant, params.webhook_id, body)
    // Deliveries that waited for an enabled webhook, or for its new address, are due.
    announceDueNow(services)
    return shownWebhook(changed, merchant)
  },
})

/** Changes the given fields. Guarantee: without a difference nothing is written, not even `updatedAt`. */
export function changeWebhook(
  { sql, clock, config }: Pick<Services, 'sql' | 'clock' | 'config'>,
  merchant: Merchant,
  id: number,
  input: Input,
): Promise<Webhook> {
  return sql.transaction(async (transaction) => {
    const before = await requireMerchantWebhook(
      transaction,
      { merchantId: merchant.id, id },
      webhookForUpdate,
    )
    const complaints = webhookInputComplaints(config, merchant, input)
    if (input.status === 'enabled' && before.disabledBecause === 'operator')
      complaints.set('status', [byOperator])
    if (complaints.size > 0) throw new Refused(validationFailed, { complaints })
    const { url, events, description } = input
    const changed: Webhook = {
      ...before,
      url: url ?? before.url,
      events: events === undefined ? before.events : eventKindsOrNullForAll(events),
      description: description === undefined ? before.description : description,
    }
    const after = webhookWithNewStatus(changed, input.status, 'merchant')
    return saveWebhookIfChanged(transaction, before, after, clock.now())
  })
}

const byOperator: LocalizedText = {
  tr: 'Bu webhook’u hizmeti işletenler kapattı; yalnızca onlar açabilir.',
  en: 'The operator of the service disabled this webhook; only the operator can enable it.',
}

/** A disabled webhook keeps its reason, unless an operator disables it: then only operators can enable it. */
export function webhookWithNewStatus(
  webhook: Webhook,
  to: Webhook['status'] | undefined,
  because: DisabledReason,
): Webhook {
  if (to === undefined || (to === webhook.status && because !== 'operator')) return webhook
  return { ...webhook, status: to, disabledBecause: to === 'enabled' ? null : because }
}

/** Saves the changes of a locked webhook. Enabling it or changing its address resets its health. */
export async function saveWebhookIfChanged(
  transaction: Sql,
  before: Webhook,
  after: Webhook,
  now: Date,
): Promise<Webhook> {
  if (isDeepStrictEqual(after, before)) return before
  const noted = { ...after, updatedAt: now }
  await updateWebhook(transaction, noted)
  const isEnabledAgain = before.status === 'disabled' && after.status === 'enabled'
  if (isEnabledAgain || before.url !== after.url) await resetWebhookHealth(transaction, after)
  return noted
}
