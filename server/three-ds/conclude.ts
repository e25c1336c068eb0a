import type { Metrics } from '../kit/metrics.ts'
import type { Merchant } from '../merchants/index.ts'
import { merchantById } from '../merchants/index.ts'
import { abandonAttempt, authorizeAttempt } from '../payments/index.ts'
import type { Services } from '../services.ts'
import type { Authentication, Whose } from './authentication.ts'
import { codeOf } from './decide.ts'
import { proofOf } from './proof.ts'
import { sentencesOf } from './sentence.ts'
import { authenticationOfAttempt, forgetProof } from './store.ts'

/** What goes on in this process after whoever caused it has had an answer. */
const underWay = new WeakMap<Metrics, Set<Promise<unknown>>>()

/**
 * Lets what came of an authentication take effect on its attempt, behind whoever brought it: a bank's server waits for
 * three seconds, and the money may take a minute. What is lost with this process is found by its due time.
 */
export function concludeSoon(services: Services, whose: Whose): void {
  const work = conclude(services, whose).catch((err: unknown) => {
    services.log.error({ err, attempt: whose.attemptId }, 'it could not be concluded; it will be tried again')
  })
  void waitedFor(services, work)
}

/** The same work, for which a process that is ending waits. */
export function waitedFor<Result>(
  { metrics }: Pick<Services, 'metrics'>,
  work: Promise<Result>,
): Promise<Result> {
  const all = underWay.get(metrics) ?? new Set()
  underWay.set(metrics, all)
  all.add(work)
  return work.finally(() => all.delete(work))
}

/** Settles when nothing is under way in this process. */
export async function settled({ metrics }: Pick<Services, 'metrics'>): Promise<void> {
  const all = underWay.get(metrics)
  while (all && all.size > 0) await Promise.allSettled(all)
}

/**
 * Asks for the money of an attempt whose holder is proven, and ends one whose holder is not. Guarantee: once, however
 * often and at however many places it is called. Says whether there was anything to do.
 */
export async function conclude(services: Services, whose: Whose): Promise<boolean> {
  const authentication = await authenticationOfAttempt(services.sql, whose)
  if (!authentication || !['proven', 'refused'].includes(authentication.state)) return false
  const merchant = await merchantById(services.sql, whose.merchantId)
  if (!merchant) throw new Error('an authentication belongs to a merchant')
  if (authentication.state === 'proven') await askForMoney(services, merchant, authentication)
  else await refuse(services, merchant, authentication)
  await forgetProof(services.sql, whose)
  return true
}

async function askForMoney(
  services: Services,
  merchant: Merchant,
  authentication: Authentication,
): Promise<void> {
  const { attemptId } = authentication
  const proof = proofOf(services, authentication)
  if (proof) await authorizeAttempt(services, merchant, { attemptId }, { by: 'us', proof })
  else await abandonAttempt(services, merchant, { id: attemptId, code: 'proof_lost' })
}

async function refuse(services: Services, merchant: Merchant, authentication: Authentication): Promise<void> {
  await abandonAttempt(services, merchant, {
    id: authentication.attemptId,
    code: codeOf(authentication),
    message: sentencesOf(authentication).operator[merchant.language],
    isDeclined: true,
  })
}
