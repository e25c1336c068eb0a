import type { BackgroundJob } from '../../../kit/runtime/job.ts'
import type { OwnedId } from '../../database/owned-id.ts'
import type { Services } from '../../services.ts'
import type { DueWorkQueue } from '../bank-calls/lanes.ts'
import { perPosLaneJob, processDueInLanes } from '../bank-calls/lanes.ts'
import {
  dueVerificationIds,
  makePaymentVerificationsDue,
  postponeVerification,
} from '../records/verification.sql.ts'
import type { VerificationKind } from '../records/verification.ts'
import { inquireAboutApproval } from './inquire-about-approval.ts'

/** Delay before a failed item is due again, so that the items behind it are processed. */
const afterFailureMs = 60_000

const dueVerificationQueue: DueWorkQueue = {
  due: ({ sql, clock, config }) => dueVerificationIds(sql, clock.now(), config.verificationsPerSecond),
  processOne: inquireAboutApproval,
  postpone: async ({ sql, clock, config }, ownedId) => {
    const now = clock.now()
    const at = (ms: number) => new Date(now.getTime() + ms)
    const longestMs = (config.inquireAfterSeconds.at(-1) ?? 0) * 1000
    await postponeVerification(sql, ownedId, { now, dueAt: at(afterFailureMs), since: at(-longestMs) })
  },
}

/** Processes due verifications, and returns when all of them are done. */
export function processDueVerifications(services: Services, signal?: AbortSignal): Promise<number> {
  return processDueInLanes(services, dueVerificationQueue, signal)
}

/** Makes the verifications of a payment due now. Returns true if there is one of the kind. */
export async function schedulePaymentVerificationsNow(
  { sql, clock }: Pick<Services, 'sql' | 'clock'>,
  payment: OwnedId,
  kind: VerificationKind,
): Promise<boolean> {
  return (await makePaymentVerificationsDue(sql, payment, kind, clock.now())) > 0
}

export const verificationJobs: BackgroundJob<Services>[] = [
  perPosLaneJob('process due verifications', dueVerificationQueue),
]
