import type { Metrics } from '../../kit/runtime/metrics.ts'
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

/** Work that continues in this process after its request was answered. */
const backgroundWork = new WeakMap<Metrics, Set<Promise<unknown>>>()

/**
 * Applies an ended authentication to its attempt, after the caller's response: a directory server waits three
 * seconds, the bank call can take a minute. Work lost with this process is found by its due time. Returns the
 * attempt and payment if known; never rejects.
 */
export function finishInBackground(
  services: Services,
  ownedId: OwnedAttemptId,
  justRead?: EndedAuthentication,
): Promise<AttemptWithPayment | undefined> {
  const work = justRead ? applyToAttempt(services, justRead) : finishStored(services, ownedId)
  const finished = work.catch((err: unknown) => {
    services.log.error({ err, attempt: ownedId.attemptId }, 'finishing an authentication failed; will retry')
    return undefined
  })
  return trackBackgroundWork(services, finished)
}

async function finishStored(services: Services, ownedId: OwnedAttemptId): Promise<undefined> {
  await finishAuthentication(services, ownedId)
}

/** Makes a stopping process wait for the work. */
export function trackBackgroundWork<Result>(
  { metrics }: Pick<Services, 'metrics'>,
  work: Promise<Result>,
): Promise<Result> {
  const all = backgroundWork.get(metrics) ?? new Set()
  backgroundWork.set(metrics, all)
  all.add(work)
  return work.finally(() => all.delete(work))
}

/** Resolves when no work is running in this process. */
export async function awaitBackgroundWork({ metrics }: Pick<Services, 'metrics'>): Promise<void> {
  const all = backgroundWork.get(metrics)
  while (all && all.size > 0) await Promise.allSettled(all)
}

/** Ended authentication as just written, with the attempt data read before. */
export interface EndedAuthentication {
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
  const { authentication, merchant } = ended
  if (authentication.state === 'proven') return authorize(services, ended)
  const attemptWithPayment = await abandonOrDeclineAttempt(services, merchant, {
    id: authentication.attemptId,
    code: declineCodeOf(authentication),
    message: failureReasonTextsOf(authentication).operator[merchant.language],
    isDeclined: true,
  })
  await eraseProofAndDueAt(services.sql, authentication)
  return attemptWithPayment
}

/** Erases the cryptogram in the query that records the bank call, or at the end if no bank is called. */
async function authorize(
  services: Services,
  { authentication, merchant, ofAttempt }: EndedAuthentication,
): Promise<AttemptWithPayment | undefined> {
  const { attemptId } = authentication
  const proof = proofOf(services, authentication)
  if (!proof) {
    const attemptWithPayment = await abandonOrDeclineAttempt(services, merchant, {
      id: attemptId,
      code: 'proof_lost',
    })
    await eraseProofAndDueAt(services.sql, authentication)
    return attemptWithPayment
  }
  const provenAttempt = { attemptId, justRead: ofAttempt }
  const extraWrites = [eraseProofAndDueAtPart(authentication)]
  const { outcome, context: attemptWithPayment } = await authorizeAttempt(
    services,
    merchant,
    provenAttempt,
    { by: 'three_ds_server', proof },
    extraWrites,
  )
  if (outcome === 'not_asked') await eraseProofAndDueAt(services.sql, authentication)
  return attemptWithPayment
}
