import type { Merchant } from '../merchants/index.ts'
import { merchantById } from '../merchants/index.ts'
import type { AttemptToAuthorize } from '../payments/for-three-ds.ts'
import { abandonOrDeclineAttempt, authorizeAttempt } from '../payments/for-three-ds.ts'
import type { AttemptWithPayment } from '../payments/index.ts'
import type { Services } from '../services.ts'
import type { Authentication, OwnedAttemptId } from './authentication.ts'
import { declineCodeOf } from './decide.ts'
import { failureReasonTextsOf } from './failure-reason-texts.ts'
import { proofOf } from './proof.ts'
import { authenticationOfAttempt, eraseProofAndDueAt, eraseProofAndDueAtPart } from './store.ts'

/**
 * Applies an ended authentication to its attempt, after the caller's response: a directory server waits three
 * seconds, the bank call can take a minute. Work lost with this process is found by its due time. Returns the
 * attempt and payment if known; never rejects.
 */
export function finishInBackground(
  services: Services,
  ended: EndedAuthentication,
): Promise<AttemptWithPayment | undefined> {
  const { attemptId: attempt } = ended.authentication
  const finished = applyToAttempt(services, ended).catch((err: unknown) => {
    services.log.error({ err, attempt }, 'finishing an authentication failed; will retry')
    return undefined
  })
  return services.tasks.add(finished)
}

/** Ended authentication as just written, with the attempt data read before. */
interface EndedAuthentication {
  authentication: Authentication
  merchant: Merchant
  ofAttempt?: AttemptToAuthorize['justRead']
}

/**
 * Authorizes a proven attempt and declines a refused one. Guarantee: this happens once, even if several
 * instances call it at the same time. Returns false if the authentication has not ended.
 */
export async function finishAuthentication(services: Services, ownedId: OwnedAttemptId): Promise<boolean> {
  const authentication = await authenticationOfAttempt(services.sql, ownedId)
  if (!authentication || !['proven', 'refused'].includes(authentication.state)) return false
  const merchant = await merchantById(services.sql, ownedId.merchantId)
  if (!merchant) throw new Error('the authentication has no merchant')
  await applyToAttempt(services, { authentication, merchant })
  return true
}

async function applyToAttempt(
  services: Services,
  ended: EndedAuthentication,
): Promise<AttemptWithPayment | undefined> {
  const { authentication, merchant, ofAttempt } = ended
  const { attemptId: id } = authentication
  if (authentication.state !== 'proven') {
    const message = failureReasonTextsOf(authentication).operator[merchant.language]
    const decline = { id, code: declineCodeOf(authentication), message, isDeclined: true } as const
    return endAttempt(services, ended, decline)
  }
  const proof = proofOf(services, authentication)
  if (!proof) return endAttempt(services, ended, { id, code: 'proof_lost' })
  // The query that records the bank call erases the cryptogram. If no bank is called, this erases it.
  const { outcome, context: attemptWithPayment } = await authorizeAttempt(
    services,
    merchant,
    { attemptId: id, justRead: ofAttempt },
    { by: 'three_ds_server', proof },
    [eraseProofAndDueAtPart(authentication)],
  )
  if (outcome === 'not_asked') await eraseProofAndDueAt(services.sql, authentication)
  return attemptWithPayment
}

async function endAttempt(
  services: Services,
  { authentication, merchant }: EndedAuthentication,
  reason: Parameters<typeof abandonOrDeclineAttempt>[2],
): Promise<AttemptWithPayment | undefined> {
  const attemptWithPayment = await abandonOrDeclineAttempt(services, merchant, reason)
  await eraseProofAndDueAt(services.sql, authentication)
  return attemptWithPayment
}
