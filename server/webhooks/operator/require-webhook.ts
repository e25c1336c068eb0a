import { idField } from '../../../kit/input/fields.ts'
import { invalidParameter } from '../../../kit/input/refusals.ts'
import type { Services } from '../../services.ts'
import { webhookOfAnyMerchant } from '../records/webhook.sql.ts'
import type { Webhook } from '../records/webhook.ts'
import { noSuchWebhookComplaint } from '../records/webhook.ts'

export const webhookArgument = {
  webhook: idField('Id of the webhook, from `vezne webhook list`.'),
}

export async function requireWebhook({ sql }: Pick<Services, 'sql'>, webhookId: number): Promise<Webhook> {
  const webhook = await webhookOfAnyMerchant(sql, webhookId)
  if (webhook) return webhook
  throw invalidParameter('webhook', noSuchWebhookComplaint)
}
