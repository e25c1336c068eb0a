import type { Job } from '../../kit/job.ts'
import type { Services } from '../../services.ts'
import { attendAll, laneJob } from '../lanes.ts'
import { waitingDeeds } from '../modifications/sweep.ts'
import { onHoldOutcome } from './on-hold-outcome.ts'

const waitingHolds = waitingDeeds(['capture', 'release'], onHoldOutcome)

/** Attends to captures and releases whose time has come, and answers when all that it took up are done. */
export function attendHolds(services: Services, signal?: AbortSignal): Promise<number> {
  return attendAll(services, waitingHolds, signal)
}

export const holdJobs: Job<Services>[] = [laneJob('attend to pre-authorizations', waitingHolds)]
