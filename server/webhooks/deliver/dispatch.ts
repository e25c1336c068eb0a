import type { PositionedEvent } from '../../events/index.ts'
import { assignPositions, merchantsWithUnpositionedEvents } from '../../events/index.ts'
import type { Services } from '../../services.ts'
import type { Webhook } from '../webhook.ts'
import { isSubscribed } from '../webhook.ts'
import { insertDeliveries, subscribers } from './store.ts'

const mostAtOnce = 500

/**
 * Puts new events into the lists of their merchants and on their way to the webhooks that hear of them. Guarantee: both or
 * neither, in one transaction, so no event is read in the list that a webhook will not hear of, however often we are killed.
 * Answers how many. There may be more: each merchant has some of its events taken, so that many of one hold up no other.
 * What fails for one merchant is thrown when all others have had their turns and nothing is left but that.
 */
export async function dispatchEvents(services: Services): Promise<number> {
  let count = 0
  let failure: unknown
  for (const merchantId of await merchantsWithUnpositionedEvents(services.sql)) {
    count += await dispatchSome(services, merchantId).catch((error: unknown) => {
      failure = error
      return 0
    })
  }
  if (failure && count === 0) throw failure
  return count
}

async function dispatchSome({ sql, ids, clock }: Services, merchantId: number): Promise<number> {
  return sql.transaction(async (transaction) => {
    const events = await assignPositions(transaction, merchantId, mostAtOnce)
    const newDeliveries = newDeliveriesOf(events, await subscribers(transaction, merchantId))
    if (newDeliveries.length > 0) {
      const deliveryIds = await ids.nextMany(newDeliveries.length)
      const deliveries = newDeliveries.map((delivery, index) => ({
        ...delivery,
        id: deliveryIds[index] ?? 0,
      }))
      await insertDeliveries(transaction, merchantId, deliveries, clock.now())
    }
    return events.length
  })
}

function newDeliveriesOf(
  events: readonly PositionedEvent[],
  webhooks: readonly Pick<Webhook, 'id' | 'events'>[],
) {
  return events.flatMap(({ id: eventId, kind }) =>
    webhooks
      .filter((webhook) => isSubscribed(webhook, kind))
      .map((webhook) => ({ webhookId: webhook.id, eventId, kind })),
  )
}
