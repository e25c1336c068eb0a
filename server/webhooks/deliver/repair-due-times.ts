import { latestPlausibleDueAt } from '../../../kit/runtime/latest-plausible-due.ts'
import type { Services } from '../../services.ts'
import { claimDurationMs } from './lane.ts'
import { longestRetryWaitS } from './schedule.ts'
import { resetDeliveryDueTimesAfter } from './store.ts'

/** Makes deliveries due that an instance with a wrong clock scheduled too far ahead. Returns their number. */
export function repairDeliveryDueTimes(services: Services): Promise<number> {
  const { sql, clock } = services
  return resetDeliveryDueTimesAfter(sql, clock.now(), {
    firstAttempt: latestPlausibleDueAt(services, claimDurationMs / 1000),
    laterAttempts: latestPlausibleDueAt(services, longestRetryWaitS),
  })
}
