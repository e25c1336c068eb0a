import type { BackgroundJob } from '../../../kit/runtime/job.ts'
import type { Services } from '../../services.ts'
import { positionAndDispatchEvents } from './dispatch.ts'
import { Lanes } from './lanes.ts'

const deliveryLanes = (): { lanes?: Lanes } => ({})

/**
 * Background job for dispatching and delivering. It runs often, so an event is sent soon after it happens.
 */
export const dispatchAndDeliverJob: BackgroundJob<Services> = {
  name: 'deliver events',
  everyMs: 200,
  work: async (services, signal) => {
    const process = services.processState.of(deliveryLanes)
    process.lanes ??= new Lanes(services, signal)
    const { lanes } = process
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
}
