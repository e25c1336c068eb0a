import type { BinCard } from '../bins/index.ts'
import { cardOfBin } from '../bins/index.ts'
import type { Merchant } from '../merchants/index.ts'
import type { Services } from '../services.ts'
import type { PricedPos } from './commission.ts'
import type { Plan } from './offer.ts'
import { plansFor } from './offer.ts'
import { posWithCommissions } from './store.ts'

/** Request for an offer. */
export interface OfferRequest {
  merchant: Merchant
  /** First eight digits of the card. */
  bin: number
  amountMinor: number
  currency: string
}

/** Plans that a card can choose from for an amount, now; none if no POS accepts it. */
export async function makeOffer(
  services: Pick<Services, 'sql' | 'clock' | 'cache'>,
  request: OfferRequest,
): Promise<{ card: BinCard | undefined; plans: Plan[] }> {
  const { merchant } = request
  return makeOfferFromPoses(
    services,
    request,
    await posWithCommissions(services.sql, merchant.id, services.clock.now()),
  )
}

/** Plans among POS that the caller has just read. */
export async function makeOfferFromPoses(
  services: Pick<Services, 'cache'>,
  { merchant, bin, amountMinor, currency }: OfferRequest,
  poses: readonly PricedPos[],
): Promise<{ card: BinCard | undefined; plans: Plan[] }> {
  const card = await cardOfBin(services, bin)
  const { supportsInstallment: installmentsOffered } = merchant
  return { card, plans: plansFor({ card, amountMinor, currency, installmentsOffered, poses }) }
}
