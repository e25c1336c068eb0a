import type { Services } from '../../services.ts'
import type { DueWorkQueue } from '../bank-calls/lanes.ts'
import { afterFailureMs, maxDueItemsPerPos, perPosLaneJob, processDueInLanes } from '../bank-calls/lanes.ts'
import { dueAttemptIds, postponeAttempt } from '../records/attempt.sql.ts'
import { processAttempt } from './process-attempt.ts'

/** Due attempts. An attempt that keeps failing needs manual review too. */
const dueAttemptQueue: DueWorkQueue = {
  due: ({ sql, clock }) => dueAttemptIds(sql, clock.now(), maxDueItemsPerPos),
  processOne: processAttempt,
  postpone: async ({ sql, clock, config }, ownedId) => {
    const now = clock.now()
    const at = (ms: number) => new Date(now.getTime() + ms)
    const longestMs = (config.inquireAfterSeconds.at(-1) ?? 0) * 1000
    await postponeAttempt(sql, ownedId, { now, dueAt: at(afterFailureMs), since: at(-longestMs) })
  },
}

/** Processes due attempts, and returns when all of them are done. */
export function processDueAttempts(services: Services, signal?: AbortSignal): Promise<number> {
  return processDueInLanes(services, dueAttemptQueue, signal)
}

export const attemptJob = perPosLaneJob('process due attempts', dueAttemptQueue)
