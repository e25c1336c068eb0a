import type { BackgroundJob } from '../../kit/runtime/job.ts'
import type { Services } from '../services.ts'
import { rotateHourKeys } from './hour-key.ts'
import { deleteOldAttemptCounts } from './rate-limit-attempt.ts'

export { fingerprintsOf } from './fingerprint.ts'
export { rateLimitAttempt } from './rate-limit-attempt.ts'
export { openCard, sealCard } from './sealed-card.ts'
export type { HourKey } from './store.ts'
export {
  currentHourKeyColumn,
  currentHourKeyIn,
  eraseCardPart,
  hourKeyOf,
  type PackedCard,
  type SealedCard,
  type SealedCardWithKey,
  sealedCardColumn,
  sealedCardIn,
  sealedCardPart,
  takenCardPart,
} from './store.ts'

export const cardJobs: BackgroundJob<Services>[] = [
  { name: 'rotate card hour keys', everyMs: 60 * 1000, work: rotateHourKeys },
  { name: 'delete old attempt counts', everyMs: 10 * 60 * 1000, work: deleteOldAttemptCounts },
]
