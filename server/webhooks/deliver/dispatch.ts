import type { OwnedId } from '../../database/owned-id.ts'
import { assignPositions, merchantsWithUnpositionedEvents, noteNewEvent } from '../../events/index.ts'
import type { Services } from '../../services.ts'
import { isSubscribed } from '../records/webhook.ts'
import { enabledWebhooksForKeyShare, insertDeliveries } from './store.ts'

const maxAtOnce = 500

/** Numbers of dispatched events by merchant, and the webhooks that have deliveries of them. */
export interface Dispatched {
  counts: ReadonlyMap<number, number>
  webhooks: OwnedId[]
}

/** Dispatches the new events of all merchants. Returns their number; more may be left. */
export async function positionAndDispatchEvents(services: Services): Promise<number> {
  const { counts } = await dispatchEventsOf(services, await merchantsWithUnpositionedEvents(services.sql))
  return counts.values().reduce((sum, count) => sum + count, 0)
}

/**
 * Assigns positions to new events and creates their deliveries to subscribed webhooks. Guarantee: both happen
 * in one transaction, so a kill never leaves an event in the list without its deliveries. Each merchant gets
 * a limited batch, so one with many events does not delay the others. Throws the failure of one merchant only if
 * no event of any other was dispatched.
 */
export async function dispatchEventsOf(services: Services, merchants: Iterable<number>): Promise<Dispatched> {
  const counts = new Map<number, number>()
  const recipients: OwnedId[] = []
  let failure: unknown
  for (const merchantId of merchants) {
    try {
      const { count, webhooks } = await dispatchSome(services, merchantId)
      if (count > 0) counts.set(merchantId, count)
      recipients.push(...webhooks)
    } catch (error) {
      failure = error
    }
  }
  if (failure && counts.size === 0) throw failure
  return { counts, webhooks: recipients }
}

async function dispatchSome(
  services: Services,
  merchantId: number,
): Promise<{ count: number; webhooks: OwnedId[] }> {
  const { sql, ids, clock } = services
  const done = await sql.transaction(async (transaction) => {
    const events = await assignPositions(transaction, merchantId, maxAtOnce)
    const webhooks = await enabledWebhooksForKeyShare(transaction, merchantId)
    const subscribed = events.flatMap(({ id: eventId, kind }) =>
      webhooks.filter((each) => isSubscribed(each, kind)).map(({ id }) => ({ webhookId: id, eventId, kind })),
    )
    const deliveries = await Promise.all(subscribed.map(async (each) => ({ ...each, id: await ids.next() })))
    if (deliveries.length > 0)
      await insertDeliveries(transaction, merchantId, 'event', deliveries, clock.now())
    const recipients = new Set(subscribed.map(({ webhookId }) => webhookId))
    return { count: events.length, webhooks: [...recipients].map((id) => ({ merchantId, id })) }
  })
  if (done.count === maxAtOnce) noteNewEvent(services, merchantId)
  return done
}
