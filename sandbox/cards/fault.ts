import type { LocalizedText } from '../../kit/text/locale.ts'
import type { ResponseCode } from './response-codes.ts'

/** A card number for which the sandbox has a rule. */
export interface TestCard {
  number: string
  /** Behaviour of the bank, in a sentence. */
  does: LocalizedText
  /** Outcome of the payment, in a sentence. */
  outcome: LocalizedText
  /** Code with which the issuer declines. */
  declines?: ResponseCode
  fault?: CardFault
}

/** Fault of a card. The bank records its name with the charge, so that later requests find it. */
export interface CardFault {
  name: string
  /** Time at which the money is taken or held. Default: immediately. */
  done?: 'never' | { afterMs: number }
  /** Amount taken in addition to the requested amount; negative if less is taken. */
  extraMinor?: number
  /** Answer to the charge. */
  answer?: ResponseDelivery | 'other reference'
  /** Time after the charge during which an inquiry about it gets no answer. */
  statusFailsForMs?: number
  /** Fault of voids, refunds and captures. */
  undoing?: 'not permitted' | 'void answer lost' | 'void fails once' | 'settled' | 'fails'
  modificationFault?: ModificationFault
}

/**
 * Fault of captures, voids and refunds that the bank would otherwise accept. It applies to the first request
 * of each, or to every request if `isLasting`.
 */
export interface ModificationFault {
  isLasting?: true
  /** Time at which the operation takes effect, if it is still possible then. Default: immediately. */
  done?: 'never' | { afterMs: number }
  /**
   * Amount by which the operation falls short of the requested amount; the operation is at least 1 minor
   * unit.
   */
  shortMinor?: number
  /** Code with which the bank declines instead. */
  declines?: ResponseCode
  answer?: ResponseDelivery | 'other reference' | 'other amount'
  /** Time after the request during which an inquiry about the charge gets no answer. */
  statusFailsForMs?: number
}

/** Way in which a response reaches the caller. */
export type ResponseDelivery =
  | 'plain'
  /** The connection breaks. */
  | 'lost'
  | { afterMs: number }
  /** Half of the body. */
  | 'garbled'
  /** An HTML page. */
  | 'page'
  /** HTTP status 500. */
  | 'failure'
