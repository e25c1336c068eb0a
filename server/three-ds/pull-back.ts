import { latestDueAt } from '../kit/latest-due.ts'
import type { Services } from '../services.ts'
import { longestWaitSeconds } from './decide.ts'
import { pullBackDueAuthentications } from './store.ts'

/** Makes authentications due that an instance with a wrong clock has scheduled too far ahead. Answers how many. */
export function pullBackAuthentications(services: Services): Promise<number> {
  const { sql, clock, config } = services
  return pullBackDueAuthentications(sql, clock.now(), latestDueAt(services, longestWaitSeconds(config)))
}
