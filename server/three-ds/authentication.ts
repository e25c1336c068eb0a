import type { SealedValue } from '../../kit/security/seal.ts'
import type { CardScheme } from './protocol/eci.ts'

/** How the proof that the payer holds the card stands. In those that end in -ing somebody else is being asked. */
export type AuthenticationState =
  /** Nobody was asked yet; the bank may be looking at the browser. */
  | 'begun'
  /** The directory server is being asked. */
  | 'asking'
  /** The bank is asking the payer. */
  | 'challenging'
  /** The money may be asked for. */
  | 'proven'
  | 'refused'

/** One try to prove that the payer holds the card, of one attempt. */
export interface Authentication {
  merchantId: number
  attemptId: number
  paymentId: number
  mode: 'us' | 'bank'
  state: AuthenticationState
  /** How often anything about it has changed. */
  version: number
  /** What is authenticated: nothing else may be charged on it. */
  amountMinor: number
  currency: string
  /** By what the three servers know it. */
  serverTransId: string | null
  acsTransId: string | null
  dsTransId: string | null
  /** The version of the protocol. */
  protocol: string | null
  scheme: CardScheme | null
  methodUrl: string | null
  methodCompletedAt: Date | null
  acsUrl: string | null
  /** What came of it, in the words of the protocol, or in ours where nobody spoke. */
  status: string | null
  reason: string | null
  cancel: string | null
  eci: string | null
  /** What the issuer wants the payer to read. */
  holderText: string | null
  /** The cryptogram, until the bank has been asked. */
  proof: SealedValue | null
  beganAt: Date
  askedAt: Date | null
  challengedAt: Date | null
  /** When the browser came back from the challenge, which proves nothing. */
  returnedAt: Date | null
  endedAt: Date | null
  /** When somebody has to look at it. */
  dueAt: Date | null
}

export type OwnedAttemptId = Pick<Authentication, 'merchantId' | 'attemptId'>

/** What we say where no server of 3-D Secure said anything. */
export const ownNoVerdictStatuses = {
  notEnrolled: 'not_enrolled',
  timeout: 'timeout',
  error: 'error',
} as const

export function addSeconds(from: Date, seconds: number): Date {
  return new Date(from.getTime() + seconds * 1000)
}
