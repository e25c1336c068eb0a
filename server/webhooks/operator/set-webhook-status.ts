import { noSuchResource, Refused } from '../../../kit/input/refusals.ts'
import type { Services } from '../../services.ts'
import { saveWebhookIfChanged, webhookWithNewStatus } from '../manage/change-webhook.ts'
import { webhookForUpdate } from '../records/webhook.sql.ts'
import type { Webhook } from '../records/webhook.ts'
import { requireWebhook } from './require-webhook.ts'

/** Enables or disables a webhook of any merchant as an operator. */
export async function setWebhookStatus(
  services: Pick<Services, 'sql' | 'clock'>,
  webhookId: number,
  to: Webhook['status'],
): Promise<Webhook> {
  const ownedId = await requireWebhook(services, webhookId)
  return services.sql.transaction(async (transaction) => {
    const before = await webhookForUpdate(transaction, ownedId)
    if (!before) throw new Refused(noSuchResource)
    return saveWebhookIfChanged(
      transaction,
      before,
      webhookWithNewStatus(before, to, 'operator'),
      services.clock.now(),
    )
  })
}
