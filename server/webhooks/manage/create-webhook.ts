import type { Static } from 'typebox'
import { bareResponseDefinition, route } from '../../../kit/api/route.ts'
import { objectSchema } from '../../../kit/input/fields.ts'
import type { Complaints } from '../../../kit/input/refusals.ts'
import { Refused, validationFailed } from '../../../kit/input/refusals.ts'
import type { Merchant } from '../../merchants/index.ts'
import { lockMerchant } from '../../merchants/index.ts'
import type { Services } from '../../services.ts'
import { countWebhooksOfMerchant, insertWebhook } from '../records/webhook.sql.ts'
import type { Webhook } from '../records/webhook.ts'
import {
  eventKindsOrNullForAll,
  ShownWebhookWithSecret,
  shownWebhook,
  webhookFields,
  webhookInputComplaints,
} from '../records/webhook.ts'
import { issueSecret } from './rotate-secret.ts'

const CreateWebhook = objectSchema(webhookFields)

type Input = Static<typeof CreateWebhook>

export const createWebhookRoute = route({
  method: 'POST',
  url: '/v1/webhooks',
  summary: { tr: 'Webhook oluştur', en: 'Create webhook' },
  description: {
    tr: 'Olayların gönderileceği bir adres kaydeder. Gönderimler yanıttaki `secret` ile imzalanır. Bu anahtar yalnızca bu yanıtta gösterilir; bu nedenle `Idempotency-Key` burada etkisizdir.',
    en: 'Registers an address to which events are sent. Deliveries are signed with the `secret` in the response. The secret is shown only in this response, so `Idempotency-Key` has no effect here.',
  },
  credential: 'secret',
  idempotent: false,
  body: CreateWebhook,
  answer: bareResponseDefinition(ShownWebhookWithSecret),
  objections: (services: Services, merchant: Merchant, { body }) => objectionsTo(services, merchant, body),
  handle: async (services: Services, merchant: Merchant, { body }) => {
    const webhook = await createWebhook(services, merchant, body)
    return { ...shownWebhook(webhook, merchant), secret: webhook.secret }
  },
})

/** Guarantee: concurrent requests never exceed the merchant's limit of webhooks. */
export async function createWebhook(
  services: Services,
  merchant: Merchant,
  input: Input,
): Promise<Webhook & { secret: string }> {
  const { sql, ids, clock } = services
  const now = clock.now()
  const webhook: Webhook = {
    merchantId: merchant.id,
    id: await ids.next(),
    url: input.url,
    events: eventKindsOrNullForAll(input.events),
    description: input.description ?? null,
    status: 'enabled',
    disabledBecause: null,
    createdAt: now,
    updatedAt: now,
  }
  return sql.transaction(async (transaction) => {
    const inside = { ...services, sql: transaction }
    await lockMerchant(transaction, merchant.id)
    const complaints = await objectionsTo(inside, merchant, input)
    if (complaints.size > 0) throw new Refused(validationFailed, { complaints })
    await insertWebhook(transaction, webhook)
    return { ...webhook, secret: await issueSecret(inside, webhook) }
  })
}

async function objectionsTo(
  { sql, config }: Pick<Services, 'sql' | 'config'>,
  merchant: Merchant,
  input: Partial<Input>,
): Promise<Complaints> {
  const complaints = webhookInputComplaints(config, merchant, input)
  const most = config.webhooksPerMerchant
  if ((await countWebhooksOfMerchant(sql, merchant.id)) < most) return complaints
  const tooMany = {
    tr: `En fazla ${most} webhook olabilir. Önce birini silin.`,
    en: `At most ${most} webhooks are allowed. Delete one first.`,
  }
  return complaints.set('url', [...(complaints.get('url') ?? []), tooMany])
}
