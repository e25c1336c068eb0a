import type { BackgroundJob } from '../../../kit/runtime/job.ts'
import type { Metrics } from '../../../kit/runtime/metrics.ts'
import type { Services } from '../../services.ts'
import { positionAndDispatchEvents } from './dispatch.ts'
import { Lanes } from './lanes.ts'

/**
 * Dispatches new events and attempts all due deliveries. Resolves when none is left; returns the number
 * processed.
 */
export async function dispatchAndDeliverDue(services: Services): Promise<number> {
  const lanes = new Lanes(services, new AbortController().signal)
  let done = 0
  for (;;) {
    const count = (await positionAndDispatchEvents(services)) + (await lanes.processDue())
    await lanes.settle()
    if (count === 0) return done
    done += count
  }
}

/** Lanes of each process. */
const lanesOf = new WeakMap<Metrics, Lanes>()

/**
 * Background job for dispatching and delivering. It runs often, so an event is sent soon after it happens.
 */
export const dispatchAndDeliverJob: BackgroundJob<Services> = {
  name: 'deliver events',
  everyMs: 200,
  work: async (services, signal) => {
    const known = lanesOf.get(services.metrics)
    const lanes = known ?? new Lanes(services, signal)
    if (!known) lanesOf.set(services.metrics, lanes)
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
  end: async ({ metrics }) => {
    await lanesOf.get(metrics)?.settle()
  },
}
