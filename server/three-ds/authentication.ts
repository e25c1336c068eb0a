import type { SealedValue } from '../../kit/security/seal.ts'
import type { CardScheme } from './protocol/eci.ts'

/** State of an authentication. The states that end in -ing wait for another party. */
export type AuthenticationState =
  /** The AReq is not sent yet; the issuer's 3DS Method may be running in the browser. */
  | 'begun'
  /** The AReq is sent; the directory server has not answered yet. */
  | 'asking'
  /** The issuer is challenging the payer. */
  | 'challenging'
  /** The bank may be asked to authorize. */
  | 'proven'
  | 'refused'

/** Authentication of the cardholder for one attempt. */
export interface Authentication {
  merchantId: number
  attemptId: number
  paymentId: number
  mode: 'three_ds_server' | 'bank_page'
  state: AuthenticationState
  /** Number of changes, for optimistic locking. */
  version: number
  /** Authenticated amount. No other amount may be charged on this authentication. */
  amountMinor: number
  currency: string
  /** Transaction ids of the 3DS Server, the ACS and the directory server. */
  serverTransId: string | null
  acsTransId: string | null
  dsTransId: string | null
  /** EMV 3DS version. */
  protocol: string | null
  scheme: CardScheme | null
  methodUrl: string | null
  methodCompletedAt: Date | null
  acsUrl: string | null
  /** `transStatus` of the protocol, or one of `ownNoVerdictStatuses`. */
  status: string | null
  reason: string | null
  cancel: string | null
  eci: string | null
  /** Issuer's text for the payer. */
  holderText: string | null
  /** Sealed cryptogram, erased when the bank is called. */
  proof: SealedValue | null
  beganAt: Date
  askedAt: Date | null
  challengedAt: Date | null
  /** Time at which the browser came back from the challenge. It proves nothing. */
  returnedAt: Date | null
  endedAt: Date | null
  /** Time at which the background job must process it. */
  dueAt: Date | null
}

export type OwnedAttemptId = Pick<Authentication, 'merchantId' | 'attemptId'>

/** Our statuses for authentications without an answer from a 3-D Secure server. */
export const ownNoVerdictStatuses = {
  notEnrolled: 'not_enrolled',
  timeout: 'timeout',
  error: 'error',
} as const

export function addSeconds(from: Date, seconds: number): Date {
  return new Date(from.getTime() + seconds * 1000)
}
