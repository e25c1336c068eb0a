import { latestPlausibleDueAt } from '../../kit/runtime/latest-plausible-due.ts'
import type { Services } from '../services.ts'
import { longestAuthenticationWaitS } from './decide.ts'
import { resetAuthenticationDueTimesAfter } from './store.ts'

/** Makes authentications due now that a wrong clock scheduled too far ahead. Returns their number. */
export function repairAuthenticationDueTimes(services: Services): Promise<number> {
  const { sql, clock, config } = services
  return resetAuthenticationDueTimesAfter(
    sql,
    clock.now(),
    latestPlausibleDueAt(services, longestAuthenticationWaitS(config)),
  )
}
