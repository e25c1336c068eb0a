import type { SecretPan } from '../../kit/money/card.ts'
import { isoTime } from '../../kit/text/zoned-time.ts'
import { cards } from '../cards/cards.ts'
import type { CardFault } from '../cards/fault.ts'
import type { ResponseCode } from '../cards/response-codes.ts'
import { isCavvFor } from './cavv.ts'

/** Time zone of the bank; its day ends at midnight there. */
export const bankZone = 'Europe/Istanbul'

export interface IssuerCard {
  pan: SecretPan
  expiryMonth: number
  expiryYear: number
}

/** Authorization request to the issuer. */
export interface IssuerRequest extends IssuerCard {
  /** In minor units. */
  amount: number
  currency: string
  /** With `cavv`, the proof that the holder was authenticated; empty without a proof. */
  eci: string
  cavv: string
}

export interface IssuerDecision {
  code: ResponseCode
  fault: CardFault | undefined
}

const byNumber = new Map(cards.map((card) => [card.number, card]))
const byName = new Map(cards.flatMap(({ fault }) => (fault ? [[fault.name, fault]] : [])))

/** Decides by the card number, if the holder is authenticated. A card without a rule is approved. */
export function decideCharge(
  { eci, cavv, amount, currency, ...card }: IssuerRequest,
  now: Date,
): IssuerDecision {
  // The authentication is valid for one amount only.
  const isAuthenticated = eci !== '' && isCavvFor({ amount, currency }, cavv)
  return isAuthenticated ? decideAuthenticated(card, now) : { code: '1A', fault: undefined }
}

/** Decision for a caller that has verified the authentication itself. */
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
