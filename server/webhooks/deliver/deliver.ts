import type { DueJob } from '../../../kit/runtime/job.ts'
import { takeMerchantsWithNewEvents } from '../../events/index.ts'
import { announceDueNow } from '../../instances/index.ts'
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
    const merchants = takeMerchantsWithNewEvents(services)
    return merchants.length === 0 ? undefined : deliverNewEvents(services, merchants, signal)
  },
}

/** Delivers the events that this process has just written. What fails is found by the next search. */
async function deliverNewEvents(
  services: Services,
  merchants: readonly number[],
  signal: AbortSignal,
): Promise<number> {
  const { count, webhooks } = await dispatchEventsOf(services, merchants)
  // An event may be committed a little after its note.
  if (count < merchants.length) announceDueNow(services)
  await lanesOf(services, signal).fill(webhooks)
  return 0
}
