import type { BackgroundJob } from '../../../kit/runtime/job.ts'
import type { Services } from '../../services.ts'
import { perPosLaneJob, processDueInLanes } from '../bank-calls/lanes.ts'
import { dueModificationQueue } from '../modifications/due-modification-queue.ts'
import { onCaptureOrReleaseOutcome } from './on-capture-or-release-outcome.ts'

const dueCaptureAndReleaseQueue = dueModificationQueue(['capture', 'release'], onCaptureOrReleaseOutcome)

/** Processes due captures and releases, and returns when all of them are done. */
export function processDueCapturesAndReleases(services: Services, signal?: AbortSignal): Promise<number> {
  return processDueInLanes(services, dueCaptureAndReleaseQueue, signal)
}

export const captureAndReleaseJobs: BackgroundJob<Services>[] = [
  perPosLaneJob('process due captures and releases', dueCaptureAndReleaseQueue),
]
