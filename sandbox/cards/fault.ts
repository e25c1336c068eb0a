import type { LocalizedText } from '../../kit/text/locale.ts'
import type { ResponseCode } from './response-codes.ts'

/** A card number with which the sandbox does something of its own. */
export interface TestCard {
  number: string
  /** Behaviour of the bank, in a sentence. */
  does: LocalizedText
  /** Outcome of the payment, in a sentence. */
  outcome: LocalizedText
  /** The issuer declines with this. */
  declines?: ResponseCode
  fault?: CardFault
}

/** What goes wrong with a card. The book keeps its name, so that whoever answers later knows of it too. */
export interface CardFault {
  name: string
  /** When the money is taken or held; at once unless said otherwise. */
  done?: 'never' | { afterMs: number }
  /** The sum that is taken beyond the amount asked for; negative where it is less. */
  extraMinor?: number
  /** What the charge is answered with. */
  answer?: ResponseDelivery | 'other reference'
  /** For how long after the charge nobody answers a query about it. */
  statusFailsForMs?: number
  /** What becomes of voids, refunds and captures. */
  undoing?: 'not permitted' | 'void answer lost' | 'void fails once' | 'settled' | 'fails'
  modificationFault?: ModificationFault
}

/**
 * What goes wrong with captures, voids and refunds that the bank would do: the first time that each is asked for, unless
 * it always does.
 */
export interface ModificationFault {
  isLasting?: true
  /** When it is done, if it still can be then; at once unless said otherwise. */
  done?: 'never' | { afterMs: number }
  /** The sum that is missing of the amount asked for, where so much is left. */
  shortMinor?: number
  /** What it is declined with instead of being done. */
  declines?: ResponseCode
  answer?: ResponseDelivery | 'other reference' | 'other amount'
  /** For how long after it nobody answers a query about the charge. */
  statusFailsForMs?: number
}

/** How an answer reaches whoever asked. */
export type ResponseDelivery =
  | 'plain'
  /** The connection breaks instead. */
  | 'lost'
  | { afterMs: number }
  /** Half of it. */
  | 'garbled'
  /** A page for people instead. */
  | 'page'
  /** The status 500 instead. */
  | 'failure'
