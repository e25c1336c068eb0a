import { perPosLaneJob } from '../bank-calls/lanes.ts'
import { dueModificationQueue } from '../modifications/modification-work.ts'
import { onCaptureOrReleaseOutcome } from './on-capture-or-release-outcome.ts'

export const dueCaptureAndReleaseQueue = dueModificationQueue(
  ['capture', 'release'],
  onCaptureOrReleaseOutcome,
)

/** Asks the banks for due captures and releases, in every instance that runs jobs. */
export const captureAndReleaseJob = perPosLaneJob(
  'process due captures and releases',
  dueCaptureAndReleaseQueue,
)
