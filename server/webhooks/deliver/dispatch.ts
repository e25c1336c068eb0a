import { assignPositions, merchantsWithUnpositionedEvents } from '../../events/index.ts'
import type { Services } from '../../services.ts'
import { isSubscribed } from '../records/webhook.ts'
import { enabledWebhooksForKeyShare, insertDeliveries } from './store.ts'

const maxAtOnce = 500

/**
 * Assigns positions to new events and creates their deliveries to subscribed webhooks. Guarantee: both happen
 * in one transaction, so a kill never leaves an event in the list without its deliveries. Each merchant gets
 * a limited batch, so one with many events does not delay the others. Returns the number of events; more may
 * be left. Throws the failure of one merchant only if no event of any other was dispatched.
 */
export async function positionAndDispatchEvents(services: Services): Promise<number> {
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
    const events = await assignPositions(transaction, merchantId, maxAtOnce)
    const webhooks = await enabledWebhooksForKeyShare(transaction, merchantId)
    const subscribed = events.flatMap(({ id: eventId, kind }) =>
      webhooks.filter((each) => isSubscribed(each, kind)).map(({ id }) => ({ webhookId: id, eventId, kind })),
    )
    const deliveries = await Promise.all(subscribed.map(async (each) => ({ ...each, id: await ids.next() })))
    if (deliveries.length > 0)
      await insertDeliveries(transaction, merchantId, 'event', deliveries, clock.now())
    return events.length
  })
}
