import type { BackgroundJob } from '../../kit/job.ts'
import type { Services } from '../../services.ts'
import { laneJob, processAllDue } from '../lanes.ts'
import { dueModificationWork } from '../modifications/due-work.ts'
import { onHoldOutcome } from './on-hold-outcome.ts'

const dueHoldWork = dueModificationWork(['capture', 'release'], onHoldOutcome)

/** Processes due captures and releases, and answers when all that it took up are done. */
export function processDueHolds(services: Services, signal?: AbortSignal): Promise<number> {
  return processAllDue(services, dueHoldWork, signal)
}

export const holdJobs: BackgroundJob<Services>[] = [laneJob('process due pre-authorizations', dueHoldWork)]
