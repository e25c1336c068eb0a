import { later } from '../../kit/runtime/clock.ts'
import type { Config } from '../config.ts'
import type { UnauthenticatedStatus } from '../connectors/index.ts'
import type { Services } from '../services.ts'
import type { Authentication, NoVerdictStatus } from './authentication.ts'
import { sealCryptogram } from './proof.ts'
import type { AuthenticationVerdict } from './protocol/verdict.ts'

/** Outcome reported by a 3-D Secure server, before the cryptogram is sealed; or our own status without one. */
export interface AuthenticationResult {
  status: AuthenticationVerdict['status'] | NoVerdictStatus
  reason?: string | null
  cancel?: string | null
  eci?: string | null
  cavv?: string | null
  holderText?: string | null
}

/** Time in which the process that stored the result applies it. After that the background job does. */
const takeoverAfterSeconds = 10

/** Extra wait for the issuer's result after the payer's time is over. */
const graceSeconds = 60

/** Longest wait of an authentication: for the payer in the challenge, and for the issuer's result. */
export function longestAuthenticationWaitS({ challengeSeconds, resultSeconds }: Config): number {
  return challengeSeconds + graceSeconds + resultSeconds
}

/** Authentication after the issuer has requested a challenge. */
export function withChallenge(
  { clock, config }: Pick<Services, 'clock' | 'config'>,
  authentication: Authentication,
  acsUrl: string,
): Authentication {
  const now = clock.now()
  const dueAt = later(now, longestAuthenticationWaitS(config))
  return { ...authentication, acsUrl, state: 'challenging', challengedAt: now, dueAt }
}

/**
 * Ended authentication. Guarantee: it allows authorization only for status Y or A, or for a status that the
 * POS accepts at the merchant's risk. The sealed cryptogram is stored only if the authorization will need it.
 */
export function withResult(
  services: Pick<Services, 'clock' | 'keyring' | 'random'>,
  authentication: Authentication,
  result: AuthenticationResult,
  acceptedStatuses: readonly UnauthenticatedStatus[] = [],
): Authentication {
  const { status, reason = null, cancel = null, eci = null, cavv = null, holderText = null } = result
  const isProven = status === 'Y' || status === 'A' || acceptedStatuses.some((each) => each === status)
  const now = services.clock.now()
  return {
    ...authentication,
    status,
    reason,
    cancel,
    eci,
    holderText,
    state: isProven ? 'proven' : 'refused',
    proof: isProven && cavv !== null ? sealCryptogram(services, authentication, cavv) : null,
    endedAt: now,
    dueAt: later(now, takeoverAfterSeconds),
  }
}

/** Authentication after the browser's return: the issuer's result should arrive within `resultSeconds`. */
export function withBrowserReturn(
  { clock, config }: Pick<Services, 'clock' | 'config'>,
  authentication: Authentication,
): Authentication {
  const now = clock.now()
  const dueAt = later(now, config.resultSeconds)
  const sooner = authentication.dueAt && authentication.dueAt < dueAt ? authentication.dueAt : dueAt
  return { ...authentication, returnedAt: now, dueAt: sooner }
}

/** Decline code that the merchant gets for a refused authentication. */
export function declineCodeOf({ status, reason }: Pick<Authentication, 'status' | 'reason'>): string {
  const code = `3DS-${(status ?? 'error').replaceAll('_', '-').toUpperCase()}`
  return reason === null ? code : `${code}-${reason}`
}
