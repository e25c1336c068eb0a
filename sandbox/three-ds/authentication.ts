import type { AcsQuirk, ChallengeOutcome } from './authentication-cards.ts'
import type { AcsProtocolVersion } from './message.ts'
import type { Scheme } from './scheme.ts'

/** An authentication, from its request to its results. Its ids are those of the messages. */
export interface AcsAuthentication {
  acsTransID: string
  threeDSServerTransID: string
  dsTransID: string
  version: AcsProtocolVersion
  /** Masked. */
  card: string
  scheme: Scheme
  merchantName: string
  /** In the minor unit, as digits: messages may name amounts that no number of ours can hold. */
  amount: string
  /** In letters. */
  currency: string
  exponent: number
  purchasedAt: Date
  /** Where the results go. */
  resultsUrl: string
  /** Where the browser goes back to. */
  notificationUrl: string
  /** The status of the first answer. */
  initialStatus: string
  meaning: ChallengeOutcome | null
  quirk: AcsQuirk | null
  /** What the holder has to type. */
  code: string | null
  wrongCodes: number
  /** When the browser first came. */
  cameAt: Date | null
  /** Until when the browser has to come, or then the right code. */
  deadlineAt: Date | null
  ending: ChallengeEnding | null
  /** When the results are to be sent; null when there are none to send, or no more. */
  resultsDueAt: Date | null
  resultsTries: number
  /** Response to the results: the status of a response, or the code of an error. */
  resultsResponse: string | null
}

/** How a challenge ended. It is written once. */
export interface ChallengeEnding {
  status: 'Y' | 'N' | 'U'
  eci: string
  cavv?: string
  reason?: string
  cancel?: string
  /** How often the holder typed something. */
  counter: string
  /** The browser brings an error message back. */
  isError?: boolean
}

/** The first six digits and the last four. */
export function maskOf(number: string): string {
  return `${number.slice(0, 6)}${'*'.repeat(number.length - 10)}${number.slice(-4)}`
}
