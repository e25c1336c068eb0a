import { later } from '../../kit/runtime/clock.ts'
import type { DueJob } from '../../kit/runtime/job.ts'
import { latestPlausibleDueAt } from '../../kit/runtime/latest-plausible-due.ts'
import type { Services } from '../services.ts'
import type { OwnedAttemptId } from './authentication.ts'
import { countOutcome } from './count-outcome.ts'
import { longestAuthenticationWaitS, withResult } from './decide.ts'
import { finishAuthentication } from './finish-authentication.ts'
import {
  authenticationOfAttempt,
  dueAuthenticationIds,
  dueAuthentications,
  postponeAuthentication,
  resetAuthenticationDueTimesAfter,
  updateAuthentication,
} from './store.ts'

const inOneGo = 100
const atOnce = 8
const afterFailureSeconds = 60

/**
 * Processes due authentications: ends those without an answer in time, and finishes those that ended before a
 * process died. Returns their number.
 */
export async function processDueAuthentications(services: Services, signal?: AbortSignal): Promise<number> {
  const left = await dueAuthenticationIds(services.sql, services.clock.now(), inOneGo)
  const count = left.length
  const worker = async () => {
    for (let ownedId = left.shift(); ownedId && !signal?.aborted; ownedId = left.shift())
      await processAuthentication(services, ownedId)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, worker))
  return count
}

/** Processes one authentication. Guarantee: a failure does not hold up others. */
export async function processAuthentication(services: Services, ownedId: OwnedAttemptId): Promise<void> {
  const { sql, clock, log } = services
  try {
    await giveUp(services, ownedId)
    await finishAuthentication(services, ownedId)
  } catch (err) {
    log.error({ err, attempt: ownedId.attemptId }, 'processing a due authentication failed; will retry')
    await postponeAuthentication(sql, ownedId, later(clock.now(), afterFailureSeconds)).catch(() => undefined)
  }
}

/** Ends an authentication without an answer in time. A later answer changes nothing. */
async function giveUp(services: Services, ownedId: OwnedAttemptId): Promise<void> {
  const { sql, clock } = services
  const authentication = await authenticationOfAttempt(sql, ownedId)
  const now = clock.now()
  if (!authentication?.dueAt || authentication.dueAt > now) return
  if (authentication.state !== 'asking' && authentication.state !== 'challenging') return
  const over = withResult(services, authentication, { status: 'timeout' })
  if (await updateAuthentication(sql, over)) countOutcome(services, 'three_ds_server', 'timeout')
}

/** Makes authentications due now that a wrong clock scheduled too far ahead. Returns their number. */
export function repairAuthenticationDueTimes(services: Services): Promise<number> {
  const { sql, clock, config } = services
  const latest = latestPlausibleDueAt(services, longestAuthenticationWaitS(config))
  return resetAuthenticationDueTimesAfter(sql, clock.now(), latest)
}

export const dueAuthenticationJob: DueJob<Services> = {
  name: 'process due authentications',
  due: dueAuthentications,
  work: processDueAuthentications,
}
