import { secondsSince } from '../../kit/runtime/clock.ts'
import type { BackgroundJob } from '../../kit/runtime/job.ts'
import type { Services } from '../services.ts'
import { unsettledAttemptStats } from './records/attempt.sql.ts'
import { unsettledModificationStats } from './records/modification.sql.ts'
import { verificationStats } from './records/verification.sql.ts'

/**
 * Counts unsettled charges and modifications, and unverified approvals, for the metrics. Every instance shows
 * the numbers of the whole database. Returns the number of all of them.
 */
export async function updateUnsettledGauges({ sql, metrics, clock }: Services): Promise<number> {
  const attempts = await unsettledAttemptStats(sql)
  const modifications = await unsettledModificationStats(sql)
  const verifications = await verificationStats(sql)
  metrics.gauge(
    'vezne_unknown_outcomes',
    'Charges whose outcome at the bank is not known, or that are being undone.',
    () => attempts.unknown,
  )
  metrics.gauge(
    'vezne_unknown_outcomes_in_manual_review',
    'Charges that need manual review: vezne payment unknown.',
    () => attempts.inManualReview,
  )
  metrics.gauge(
    'vezne_oldest_unknown_outcome_seconds',
    'Age of the oldest charge whose outcome is not known.',
    () => secondsSince(clock, attempts.oldestAskedAt),
  )
  metrics.gauge(
    'vezne_unsettled_modifications',
    'Captures, releases and refunds that a bank is still to do.',
    () => modifications.doing,
  )
  metrics.gauge(
    'vezne_unsettled_modifications_in_manual_review',
    'Captures, releases and refunds that need manual review: vezne payment unknown.',
    () => modifications.inManualReview,
  )
  metrics.gauge(
    'vezne_oldest_unsettled_modification_seconds',
    'Age of the oldest unsettled capture, release or refund, without those that wait for the end of a bank’s day.',
    () => secondsSince(clock, modifications.oldestBeganAt),
  )
  metrics.gauge(
    'vezne_unverified_approvals',
    'Approvals whose amount the bank has not named yet. Each is inquired after, or verified by a statement.',
    () => verifications.unverified,
  )
  metrics.gauge('vezne_oldest_unverified_approval_seconds', 'Age of the oldest unverified approval.', () =>
    secondsSince(clock, verifications.oldestApprovedAt),
  )
  metrics.gauge(
    'vezne_approvals_in_manual_review',
    'Approvals that cannot be verified or whose amount differs: vezne payment unknown.',
    () => verifications.inManualReview,
  )
  metrics.gauge(
    'vezne_differing_approvals',
    'Approvals whose amount differs, until an operator has decided: vezne payment unknown.',
    () => verifications.differing,
  )
  return attempts.unknown + modifications.doing + verifications.unverified + verifications.inManualReview
}

export const unsettledGaugesJob: BackgroundJob<Services> = {
  name: 'count unsettled charges and modifications',
  everyMs: 15_000,
  isGauge: true,
  work: updateUnsettledGauges,
}
