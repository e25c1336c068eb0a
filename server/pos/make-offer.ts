import type { CardKind } from '../bins/index.ts'
import { cardOfBin } from '../bins/index.ts'
import type { Merchant } from '../merchants/index.ts'
import type { Services } from '../services.ts'
import type { PricedPos } from './commission.ts'
import type { Plan } from './offer.ts'
import { plansFor } from './offer.ts'

/** Request for an offer. */
export interface OfferRequest {
  merchant: Merchant
  /** First eight digits of the card. */
  bin: number
  amountMinor: number
  currency: string
}

/** Plans that a card can choose from, among POS that the caller has just read; none if no POS accepts it. */
export async function makeOfferFromPoses(
  services: Pick<Services, 'cache'>,
  { merchant, bin, amountMinor, currency }: OfferRequest,
  poses: readonly PricedPos[],
): Promise<{ card: CardKind | undefined; plans: Plan[] }> {
  const card = await cardOfBin(services, bin)
  const { supportsInstallment: installmentsOffered } = merchant
  return { card, plans: plansFor({ card, amountMinor, currency, installmentsOffered, poses }) }
}
