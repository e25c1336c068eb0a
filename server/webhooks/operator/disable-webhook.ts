import { command } from '../../../kit/command-line/command.ts'
import { objectSchema } from '../../../kit/input/fields.ts'
import { announceDueNow } from '../../instances/index.ts'
import type { Services } from '../../services.ts'
import { saveWebhookIfChanged, webhookWithNewStatus } from '../manage/change-webhook.ts'
import { requireMerchantWebhook } from '../manage/read-webhook.ts'
import { webhookForUpdate } from '../records/webhook.sql.ts'
import type { Webhook } from '../records/webhook.ts'
import { requireWebhook, webhookArgument } from './require-webhook.ts'

export const disableWebhookCommand = command({
  positionals: ['webhook'],
  input: objectSchema(webhookArgument),
  run: async (services: Services, { webhook }, print) => {
    const { disabledBecause } = await setWebhookStatus(services, webhook, 'disabled')
    print(`Webhook ${webhook} is disabled (${disabledBecause}).`)
  },
})

/** Enables or disables a webhook of any merchant as an operator. */
export async function setWebhookStatus(
  services: Pick<Services, 'sql' | 'clock' | 'processState'>,
  webhookId: number,
  to: Webhook['status'],
): Promise<Webhook> {
  const { sql, clock } = services
  const ownedId = await requireWebhook({ sql }, webhookId)
  const saved = await sql.transaction(async (transaction) => {
    const before = await requireMerchantWebhook(transaction, ownedId, webhookForUpdate)
    const after = webhookWithNewStatus(before, to, 'operator')
    return saveWebhookIfChanged(transaction, before, after, clock.now())
  })
  // Deliveries that waited for an enabled webhook are due.
  if (to === 'enabled') announceDueNow(services)
  return saved
}
