import type { Job } from '../kit/job.ts'
import type { Services } from '../services.ts'
import { forgetCounts } from './count-attempt.ts'
import { renewSaltsInBackground } from './renew-salts.ts'

export { countAttempt, type Try } from './count-attempt.ts'
export { fingerprintsOf } from './fingerprint.ts'
export type { Salt } from './salt.ts'
export { openCard, type SaltedCard, type SealedCard, sealCard, type Whose } from './sealed-card.ts'
export {
  currentSaltColumn,
  currentSaltIn,
  eraseCardPart,
  saltOf,
  sealedCardColumn,
  sealedCardIn,
  sealedCardPart,
  takenCardPart,
} from './store.ts'

export const cardJobs: Job<Services>[] = [
  { name: 'renew card salts', everyMs: 60 * 1000, work: renewSaltsInBackground },
  { name: 'forget attempt counts', everyMs: 10 * 60 * 1000, work: forgetCounts },
]
