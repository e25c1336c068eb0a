import { latestDueAt } from '../../kit/latest-due.ts'
import type { Services } from '../../services.ts'
import { claimMs } from './lanes.ts'
import { longestRetryWaitS } from './schedule.ts'
import { pullBackDueDeliveries } from './store.ts'

/** Makes deliveries due that an instance with a wrong clock has scheduled too far ahead. Answers how many. */
export function pullBackDeliveries(services: Services): Promise<number> {
  const { sql, clock } = services
  return pullBackDueDeliveries(sql, clock.now(), {
    firstAttempt: latestDueAt(services, claimMs / 1000),
    laterAttempts: latestDueAt(services, longestRetryWaitS),
  })
}
