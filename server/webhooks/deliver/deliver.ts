import type { DueJob } from '../../../kit/runtime/job.ts'
import type { NewEvents } from '../../events/index.ts'
import { takeNewEvents } from '../../events/index.ts'
import { announceDueSoon } from '../../instances/index.ts'
import type { Services } from '../../services.ts'
import { dispatchEventsOf, positionAndDispatchEvents } from './dispatch.ts'
import { Lanes } from './lanes.ts'
import { dueDeliveries } from './store.ts'

const deliveryLanes = (): { lanes?: Lanes } => ({})

function lanesOf(services: Services, signal: AbortSignal): Lanes {
  const process = services.processState.of(deliveryLanes)
  process.lanes ??= new Lanes(services, signal)
  return process.lanes
}

/** Gives new events their positions, and sends them to webhooks. */
export const deliveryJob: DueJob<Services> = {
  name: 'deliver events',
  due: dueDeliveries,
  work: async (services, signal) => {
    const lanes = lanesOf(services, signal)
    for (let isMore = true; isMore && !signal.aborted; ) {
      const dispatching = positionAndDispatchEvents(services)
      isMore = await dispatching.then(
        (count) => count > 0,
        () => false,
      )
      await lanes.processDue()
      await dispatching
    }
    return 0
  },
  workOnNews: (services, signal) => {
    const news = takeNewEvents(services)
    return news.size === 0 ? undefined : deliverNewEvents(services, news, signal)
  },
}

/** Delivers the events that this process has just written. What fails is found by the next search. */
async function deliverNewEvents(services: Services, news: NewEvents, signal: AbortSignal): Promise<number> {
  const { counts, webhooks } = await dispatchEventsOf(services, news.keys())
  // An event may be committed a little after its note, or another instance was first, or this failed.
  const isAnyMissing = news.entries().some(([merchantId, count]) => (counts.get(merchantId) ?? 0) < count)
  if (isAnyMissing) announceDueSoon(services)
  await lanesOf(services, signal).fill(webhooks)
  return 0
}
