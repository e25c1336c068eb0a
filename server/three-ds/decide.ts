import type { UnauthenticatedStatus } from '../connectors/index.ts'
import type { Services } from '../services.ts'
import type { Authentication } from './authentication.ts'
import { addSeconds, ownNoVerdictStatuses } from './authentication.ts'

/** Outcome reported by a 3-D Secure server, before the cryptogram is sealed. */
export interface AuthenticationResult {
  status: string
  reason: string | null
  cancel: string | null
  eci: string | null
  cryptogram: string | null
  holderText: string | null
}

/** Time in which the process that stored the result applies it. After that the background job does. */
const takeoverAfterSeconds = 10

type Waits = Pick<Services['config'], 'challengeSeconds' | 'resultSeconds'>

/** Extra wait for the issuer's result after the payer's time is over. */
const graceSeconds = 60

/** Longest wait of an authentication: for the payer in the challenge, and for the issuer's result. */
export function longestAuthenticationWaitS({ challengeSeconds, resultSeconds }: Waits): number {
  return challengeSeconds + graceSeconds + resultSeconds
}

/** Authentication after the issuer has requested a challenge. */
export function withChallenge(
  authentication: Authentication,
  { acsUrl, ...ids }: { acsUrl: string; acsTransId: string; dsTransId: string },
  now: Date,
  waits: Waits,
): Authentication {
  const dueAt = addSeconds(now, longestAuthenticationWaitS(waits))
  return { ...authentication, ...ids, acsUrl, state: 'challenging', challengedAt: now, dueAt }
}

/**
 * Ended authentication. Guarantee: it allows authorization only for status Y or A, or for a status that the
 * POS accepts at the merchant's risk.
 */
export function withResult(
  authentication: Authentication,
  { cryptogram: _, ...result }: AuthenticationResult,
  acceptedStatuses: readonly UnauthenticatedStatus[],
  now: Date,
): Authentication {
  const isProven = mayAuthorize(result.status, acceptedStatuses)
  return {
    ...authentication,
    ...result,
    state: isProven ? 'proven' : 'refused',
    endedAt: now,
    dueAt: addSeconds(now, takeoverAfterSeconds),
  }
}

export function mayAuthorize(status: string, acceptedStatuses: readonly UnauthenticatedStatus[]): boolean {
  return status === 'Y' || status === 'A' || acceptedStatuses.some((accepted) => accepted === status)
}

/** Result without an answer, or with an invalid one. */
export function noVerdictResult(
  status: (typeof ownNoVerdictStatuses)[keyof typeof ownNoVerdictStatuses],
): AuthenticationResult {
  return { status, reason: null, cancel: null, eci: null, cryptogram: null, holderText: null }
}

/** Authentication after the browser's return: the issuer's result should arrive within `resultSeconds`. */
export function withBrowserReturn(
  authentication: Authentication,
  now: Date,
  { resultSeconds }: Waits,
): Authentication {
  const dueAt = addSeconds(now, resultSeconds)
  const sooner = authentication.dueAt && authentication.dueAt < dueAt ? authentication.dueAt : dueAt
  return { ...authentication, returnedAt: now, dueAt: sooner }
}

/** Decline code that the merchant gets for a refused authentication. */
export function declineCodeOf({ status, reason }: Pick<Authentication, 'status' | 'reason'>): string {
  const words = [
    (status ?? ownNoVerdictStatuses.error).replaceAll('_', '-').toUpperCase(),
    reason ?? [],
  ].flat()
  return ['3DS', ...words].join('-')
}
