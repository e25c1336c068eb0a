import type { RowOf } from '../../kit/runtime/table.ts'
import { defineTable, integer, jsonb, text, timestamptz } from '../../kit/runtime/table.ts'
import type { Language } from '../../kit/text/locale.ts'
import type { AcsQuirk, ChallengeOutcome } from './authentication-cards.ts'
import type { AcsProtocolVersion } from './message.ts'
import type { Scheme } from './scheme.ts'

export const acsAuthentications = defineTable('sandbox.authentications', {
  acsTransId: text(),
  serverTransId: text(),
  dsTransId: text(),
  version: text<AcsProtocolVersion>(),
  /** Masked. */
  card: text(),
  scheme: text<Scheme>(),
  merchantName: text(),
  /** Minor units, as digits: a message can contain an amount that a JavaScript number cannot hold. */
  amount: text(),
  /** ISO 4217 letters. */
  currency: text(),
  exponent: integer(),
  purchasedAt: timestamptz(),
  /** Language of the payer’s browser, as far as the bank speaks it. */
  language: text<Language>(),
  /** Address the results are sent to. */
  resultsUrl: text(),
  /** Address the browser returns to. */
  notificationUrl: text(),
  /** Status of the first answer. */
  initialStatus: text(),
  meaning: text<ChallengeOutcome>().orNull(),
  quirk: text<AcsQuirk>().orNull(),
  /** Code the cardholder must type. */
  code: text().orNull(),
  wrongCodes: integer(),
  askedAt: timestamptz(),
  /** Time at which the browser first opened the challenge. */
  cameAt: timestamptz().orNull(),
  /** Deadline for the browser to open the challenge, and after that for the right code. */
  deadlineAt: timestamptz().orNull(),
  ending: jsonb<ChallengeEnding>().orNull(),
  /** Time at which the results are due; null if there are none to send. */
  resultsDueAt: timestamptz().orNull(),
  resultsTries: integer(),
  /** Answer to the results: the status of the response, or the code of an error message. */
  resultsResponse: text().orNull(),
  /** Error code that the 3DS Server reported. */
  errorCode: text().orNull(),
})

/** An authentication, from its request to its results. Its ids are those of the EMV 3DS messages. */
export type AcsAuthentication = RowOf<typeof acsAuthentications>

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
