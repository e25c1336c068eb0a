import { latestPlausibleDueAt } from '../kit/latest-plausible-due.ts'
import type { Services } from '../services.ts'
import { longestAuthenticationWaitS } from './decide.ts'
import { makeFarAuthenticationsDue } from './store.ts'

/** Makes authentications due that an instance with a wrong clock has scheduled too far ahead. Answers how many. */
export function resetFarAuthenticationDueTimes(services: Services): Promise<number> {
  const { sql, clock, config } = services
  return makeFarAuthenticationsDue(
    sql,
    clock.now(),
    latestPlausibleDueAt(services, longestAuthenticationWaitS(config)),
  )
}
