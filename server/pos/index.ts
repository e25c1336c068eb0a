import type { Job } from '../kit/job.ts'
import type { Services } from '../services.ts'
import { addPosCommand } from './add-pos.ts'
import { changePosCommand } from './change-pos.ts'
import { endRatesCommand } from './end-rates.ts'
import { listCommissionsRoute } from './list-commissions.ts'
import { listPosCommand } from './list-pos.ts'
import { listRatesCommand } from './list-rates.ts'
import { resealInBackground, resealSecretsCommand } from './reseal-secrets.ts'
import { setRatesCommand } from './set-rates.ts'
import { showOfferCommand } from './show-offer.ts'
import { showPosCommand } from './show-pos.ts'

export type { PricedPos } from './commission.ts'
export { ensureDemoPos } from './demo-pos.ts'
export { makeOffer, offerAmong } from './make-offer.ts'
export type { Plan, Reason } from './offer.ts'
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

export const posCommands = [
  addPosCommand,
  listPosCommand,
  showPosCommand,
  changePosCommand,
  resealSecretsCommand,
  setRatesCommand,
  endRatesCommand,
  listRatesCommand,
  showOfferCommand,
]

export const posJobs: Job<Services>[] = [
  { name: 'reseal pos secrets', everyMs: 60 * 60 * 1000, work: resealInBackground },
]
