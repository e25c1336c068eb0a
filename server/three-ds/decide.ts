import type { UnauthenticatedStatus } from '../connectors/index.ts'
import type { Services } from '../services.ts'
import type { Authentication } from './authentication.ts'
import { addSeconds, ownNoVerdictStatuses } from './authentication.ts'

/** What a server of 3-D Secure said came of it; the cryptogram is not yet sealed. */
export interface AuthenticationResult {
  status: string
  reason: string | null
  cancel: string | null
  eci: string | null
  cryptogram: string | null
  holderText: string | null
}

/** For how long whoever proved it goes on alone. After that somebody else looks, who finds it done or does it. */
const takeoverAfterSeconds = 10

type Waits = Pick<Services['config'], 'challengeSeconds' | 'resultSeconds'>

/** How long the bank may let us wait once its own time for the payer is over. */
const graceSeconds = 60

/** The longest wait of an authentication: for a payer whom the bank asks, and for the bank's word about it. */
export function longestAuthenticationWaitS({ challengeSeconds, resultSeconds }: Waits): number {
  return challengeSeconds + graceSeconds + resultSeconds
}

/** The bank wants to ask the payer. */
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
 * It has come to an end. Guarantee: the money is asked for only if the holder was proven, or the proof was attempted, or
 * the POS takes this very outcome at the merchant's own risk.
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

/** Nobody said anything, or nothing that can be understood. */
export function noVerdictResult(
  status: (typeof ownNoVerdictStatuses)[keyof typeof ownNoVerdictStatuses],
): AuthenticationResult {
  return { status, reason: null, cancel: null, eci: null, cryptogram: null, holderText: null }
}

/** The browser is back from the bank: the bank's own word should be here, or be here soon. */
export function withBrowserReturn(
  authentication: Authentication,
  now: Date,
  { resultSeconds }: Waits,
): Authentication {
  const dueAt = addSeconds(now, resultSeconds)
  const sooner = authentication.dueAt && authentication.dueAt < dueAt ? authentication.dueAt : dueAt
  return { ...authentication, returnedAt: now, dueAt: sooner }
}

/** How a refusal is told: to the merchant by its code, as the bank's word. */
export function declineCodeOf({ status, reason }: Pick<Authentication, 'status' | 'reason'>): string {
  const words = [
    (status ?? ownNoVerdictStatuses.error).replaceAll('_', '-').toUpperCase(),
    reason ?? [],
  ].flat()
  return ['3DS', ...words].join('-')
}
