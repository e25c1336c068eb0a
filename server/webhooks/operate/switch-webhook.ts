import { noSuchResource, Refused } from '../../kit/refusals.ts'
import type { Services } from '../../services.ts'
import { keepChange, switched } from '../change-webhook.ts'
import { webhookForChange } from '../store.ts'
import type { Webhook } from '../webhook.ts'
import { theWebhook } from './the-webhook.ts'

/** Enables or disables a webhook, of whichever merchant it is, as an operator does it. */
export async function switchWebhook(
  services: Pick<Services, 'sql' | 'clock'>,
  webhookId: number,
  to: Webhook['status'],
): Promise<Webhook> {
  const ownedId = await theWebhook(services, webhookId)
  return services.sql.transaction(async (transaction) => {
    const before = await webhookForChange(transaction, ownedId)
    if (!before) throw new Refused(noSuchResource)
    return keepChange(transaction, before, switched(before, to, 'operator'), services.clock.now())
  })
}
