import type { Job } from '../kit/job.ts'
import type { Services } from '../services.ts'
import { forgetCounts } from './count-attempt.ts'
import { rotateHourKeysInBackground } from './rotate-hour-keys.ts'

export { countAttempt, type Try } from './count-attempt.ts'
export { fingerprintsOf } from './fingerprint.ts'
export type { HourKey } from './hour-key.ts'
export { openCard, type SealedCard, type SealedCardWithKey, sealCard, type Whose } from './sealed-card.ts'
export {
  currentHourKeyColumn,
  currentHourKeyIn,
  eraseCardPart,
  hourKeyOf,
  sealedCardColumn,
  sealedCardIn,
  sealedCardPart,
  takenCardPart,
} from './store.ts'

export const cardJobs: Job<Services>[] = [
  { name: 'renew card salts', everyMs: 60 * 1000, work: rotateHourKeysInBackground },
  { name: 'forget attempt counts', everyMs: 10 * 60 * 1000, work: forgetCounts },
]
