import type { SecretPan } from '../../kit/money/card.ts'
import { isoTime } from '../../kit/text/zoned-time.ts'
import { cards } from '../cards/cards.ts'
import type { CardFault } from '../cards/fault.ts'
import type { ResponseCode } from '../cards/response-codes.ts'
import { isCavvFor } from './cavv.ts'

/** Where the bank is; its day ends there at midnight. */
export const bankZone = 'Europe/Istanbul'

/** The card that is to pay. */
export interface IssuerCard {
  pan: SecretPan
  expiryMonth: number
  expiryYear: number
}

/** What the issuer is asked. */
export interface IssuerRequest extends IssuerCard {
  /** In minor units. */
  amount: number
  currency: string
  /** What proves that the holder was authenticated; empty when there is no proof. */
  eci: string
  cavv: string
}

export interface IssuerDecision {
  code: ResponseCode
  fault: CardFault | undefined
}

const byNumber = new Map(cards.map((card) => [card.number, card]))
const byName = new Map(cards.flatMap(({ fault }) => (fault ? [[fault.name, fault]] : [])))

/** Decides by the number of the card, once its holder is proven. A card that has no rule of its own is approved. */
export function decideCharge(
  { eci, cavv, amount, currency, ...card }: IssuerRequest,
  now: Date,
): IssuerDecision {
  // A holder who agreed to one amount has not agreed to another.
  const isAuthenticated = eci !== '' && isCavvFor({ amount, currency }, cavv)
  return isAuthenticated ? decideAuthenticated(card, now) : { code: '1A', fault: undefined }
}

/** The same, for who knows that the holder was authenticated. */
export function decideAuthenticated({ pan, expiryMonth, expiryYear }: IssuerCard, now: Date): IssuerDecision {
  const card = byNumber.get(pan.reveal())
  const thisMonth = isoTime(now, bankZone).slice(0, 7)
  const lastMonth = `${expiryYear}-${String(expiryMonth).padStart(2, '0')}`
  const declined = (code: ResponseCode): IssuerDecision => ({ code, fault: undefined })
  if (lastMonth < thisMonth) return declined('54')
  if (card?.declines) return declined(card.declines)
  return { code: '00', fault: card?.fault }
}

export function faultByName(name: string | null): CardFault | undefined {
  return name === null ? undefined : byName.get(name)
}
