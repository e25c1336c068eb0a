import type { BackgroundJob } from '../kit/job.ts'
import type { Services } from '../services.ts'
import { listCommissionsRoute } from './list-commissions.ts'
import { resealInBackground } from './reseal-secrets.ts'

export type { PricedPos } from './commission.ts'
export { ensureDemoPos } from './demo-pos.ts'
export { makeOffer, offerAmong } from './make-offer.ts'
export type { Plan, PosChoiceReason } from './offer.ts'
export { openPos, openSealedPos, secretsOfPos } from './open-pos.ts'
export { posPlace } from './pos.ts'
export { assertSecretOfService, noteSealingKey } from './secrets.ts'
export { thePos } from './show-pos.ts'
export {
  pricedPosColumn,
  pricedPosIn,
  type ReadyPos,
  readyPosColumn,
  readyPosIn,
  type SealedPos,
  sealedPosColumn,
  sealedPosIn,
} from './store.ts'
export { takesCurrency, watchCurrencies } from './takes-currency.ts'

export const posRoutes = [listCommissionsRoute]

export const posJobs: BackgroundJob<Services>[] = [
  { name: 'reseal pos secrets', everyMs: 60 * 60 * 1000, work: resealInBackground },
]
