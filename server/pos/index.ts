import type { BackgroundJob } from '../../kit/runtime/job.ts'
import type { Services } from '../services.ts'
import { listCommissionsRoute } from './list-commissions.ts'
import { resealPosSecretsInBackground } from './reseal-secrets.ts'

export { acceptsCurrency, preloadCurrencies } from './accepts-currency.ts'
export type { PricedPos } from './commission.ts'
export { ensureDemoPos } from './demo-pos.ts'
export { makeOfferFromPoses } from './make-offer.ts'
export type { Plan, PosChoiceReason } from './offer.ts'
export { openPos, openSealedPos, openSecretsOfPos } from './open-pos.ts'
export { posArgument } from './pos.ts'
export type { PricedRow } from './remembered-prices.ts'
export { pricedQueries, readWithPrices } from './remembered-prices.ts'
export { assertSameSecretAsService, recordSealingKey } from './secrets.ts'
export { requirePos } from './show-pos.ts'
export {
  type PricedSealedPos,
  posOfMerchant,
  type SealedPos,
  sealedPosColumn,
  sealedPosIn,
} from './store.ts'

export const posRoutes = [listCommissionsRoute]

export const posJobs: BackgroundJob<Services>[] = [
  { name: 'reseal pos secrets', everyMs: 60 * 60 * 1000, work: resealPosSecretsInBackground },
]
