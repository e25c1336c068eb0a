import { idField } from '../../../kit/input/fields.ts'
import { invalidParameter } from '../../../kit/input/refusals.ts'
import type { Services } from '../../services.ts'
import { webhookOfAnyMerchant } from '../records/webhook.sql.ts'
import type { Webhook } from '../records/webhook.ts'
import { noSuchWebhookComplaint } from '../records/webhook.ts'

/** How a webhook is named on the command line. */
export const webhookArgument = {
  webhook: idField('The webhook, as `vezne webhook list` shows it.'),
}

/** The webhook with this id, or a refusal of the parameter that named it. */
export async function requireWebhook({ sql }: Pick<Services, 'sql'>, webhookId: number): Promise<Webhook> {
  const webhook = await webhookOfAnyMerchant(sql, webhookId)
  if (webhook) return webhook
  throw invalidParameter('webhook', noSuchWebhookComplaint)
}
