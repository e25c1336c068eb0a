import type { BackgroundJob } from '../../kit/runtime/job.ts'
import type { Services } from '../services.ts'
import type { OwnedAttemptId } from './authentication.ts'
import { addSeconds, ownNoVerdictStatuses } from './authentication.ts'
import { countOutcome } from './count-outcome.ts'
import { noVerdictResult, withResult } from './decide.ts'
import { awaitBackgroundWork, finishAuthentication } from './finish-authentication.ts'
import {
  authenticationOfAttempt,
  dueAuthenticationIds,
  postponeAuthentication,
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
    await postponeAuthentication(sql, ownedId, addSeconds(clock.now(), afterFailureSeconds)).catch(
      () => undefined,
    )
  }
}

/** Ends an authentication without an answer in time. A later answer changes nothing. */
async function giveUp(services: Services, ownedId: OwnedAttemptId): Promise<void> {
  const { sql, clock } = services
  const authentication = await authenticationOfAttempt(sql, ownedId)
  const now = clock.now()
  if (!authentication?.dueAt || authentication.dueAt > now) return
  if (authentication.state !== 'asking' && authentication.state !== 'challenging') return
  const over = withResult(authentication, noVerdictResult(ownNoVerdictStatuses.timeout), [], now)
  if (await updateAuthentication(sql, over))
    countOutcome(services, 'three_ds_server', ownNoVerdictStatuses.timeout)
}

export const threeDsJobs: BackgroundJob<Services>[] = [
  {
    name: 'process due authentications',
    everyMs: 1_000,
    work: processDueAuthentications,
    end: awaitBackgroundWork,
  },
]
