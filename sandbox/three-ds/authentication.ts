import type { AcsQuirk, ChallengeOutcome } from './authentication-cards.ts'
import type { AcsProtocolVersion } from './message.ts'
import type { Scheme } from './scheme.ts'

/** An authentication, from its request to its results. Its ids are those of the EMV 3DS messages. */
export interface AcsAuthentication {
  acsTransID: string
  threeDSServerTransID: string
  dsTransID: string
  version: AcsProtocolVersion
  /** Masked. */
  card: string
  scheme: Scheme
  merchantName: string
  /** Minor units, as digits: a message can contain an amount that a JavaScript number cannot hold. */
  amount: string
  /** ISO 4217 letters. */
  currency: string
  exponent: number
  purchasedAt: Date
  /** Address the results are sent to. */
  resultsUrl: string
  /** Address the browser returns to. */
  notificationUrl: string
  /** Status of the first answer. */
  initialStatus: string
  meaning: ChallengeOutcome | null
  quirk: AcsQuirk | null
  /** Code the cardholder must type. */
  code: string | null
  wrongCodes: number
  /** Time at which the browser first opened the challenge. */
  cameAt: Date | null
  /** Deadline for the browser to open the challenge, and after that for the right code. */
  deadlineAt: Date | null
  ending: ChallengeEnding | null
  /** Time at which the results are due; null if there are none to send. */
  resultsDueAt: Date | null
  resultsTries: number
  /** Answer to the results: the status of the response, or the code of an error message. */
  resultsResponse: string | null
}

/** End of a challenge. It is written once. */
export interface ChallengeEnding {
  status: 'Y' | 'N' | 'U'
  eci: string
  cavv?: string
  reason?: string
  cancel?: string
  /** Number of codes the cardholder typed. */
  counter: string
  /** True if the browser returns with an error message. */
  isError?: boolean
}

/** The first six digits and the last four. */
export function maskOf(number: string): string {
  return `${number.slice(0, 6)}${'*'.repeat(number.length - 10)}${number.slice(-4)}`
}
