import type { BackgroundJob } from '../../kit/runtime/job.ts'
import type { Metrics } from '../../kit/runtime/metrics.ts'
import type { Services } from '../services.ts'
import { unsettledAttemptStats } from './records/attempt.sql.ts'
import { unsettledModificationStats } from './records/modification.sql.ts'
import type { VerificationStats } from './records/verification.sql.ts'
import { verificationStats } from './records/verification.sql.ts'

interface Counts {
  attempts: Awaited<ReturnType<typeof unsettledAttemptStats>>
  modifications: Awaited<ReturnType<typeof unsettledModificationStats>>
  verifications: VerificationStats
}

const counted = new WeakMap<Metrics, { counts: Counts }>()

/**
 * Counts unsettled charges and modifications, and unverified approvals, for the metrics. Every instance shows
 * the numbers of the whole database.
 */
export async function updateUnsettledGauges(services: Services): Promise<number> {
  const { sql } = services
  const counts = {
    attempts: await unsettledAttemptStats(sql),
    modifications: await unsettledModificationStats(sql),
    verifications: await verificationStats(sql),
  }
  const known = counted.get(services.metrics)
  if (known) known.counts = counts
  else show(services, counts)
  return 0
}

function show({ metrics, clock }: Services, counts: Counts): void {
  const latest = { counts }
  counted.set(metrics, latest)
  const ageOf = (at: Date | null) => (at ? (clock.now().getTime() - at.getTime()) / 1000 : 0)
  metrics.gauge(
    'vezne_unknown_outcomes',
    'Charges whose outcome at the bank is not known, or that are being undone.',
    () => latest.counts.attempts.unknown,
  )
  metrics.gauge(
    'vezne_unknown_outcomes_in_manual_review',
    'Charges that need manual review: vezne payment unknown.',
    () => latest.counts.attempts.inManualReview,
  )
  metrics.gauge(
    'vezne_oldest_unknown_outcome_seconds',
    'Age of the oldest charge whose outcome is not known.',
    () => ageOf(latest.counts.attempts.oldestAskedAt),
  )
  metrics.gauge(
    'vezne_unsettled_modifications',
    'Captures, releases and refunds that a bank is still to do.',
    () => latest.counts.modifications.doing,
  )
  metrics.gauge(
    'vezne_unsettled_modifications_in_manual_review',
    'Captures, releases and refunds that need manual review: vezne payment unknown.',
    () => latest.counts.modifications.inManualReview,
  )
  metrics.gauge(
    'vezne_oldest_unsettled_modification_seconds',
    'Age of the oldest unsettled capture, release or refund, without those that wait for the end of a bank’s day.',
    () => ageOf(latest.counts.modifications.oldestBeganAt),
  )
  showVerifications(metrics, () => latest.counts.verifications, ageOf)
}

function showVerifications(
  metrics: Metrics,
  counts: () => VerificationStats,
  ageOf: (at: Date | null) => number,
): void {
  metrics.gauge(
    'vezne_unverified_approvals',
    'Approvals whose amount the bank has not named yet. Each is inquired after, or verified by a statement.',
    () => counts().unverified,
  )
  metrics.gauge('vezne_oldest_unverified_approval_seconds', 'Age of the oldest unverified approval.', () =>
    ageOf(counts().oldestApprovedAt),
  )
  metrics.gauge(
    'vezne_approvals_in_manual_review',
    'Approvals that cannot be verified or whose amount differs: vezne payment unknown.',
    () => counts().inManualReview,
  )
  metrics.gauge(
    'vezne_differing_approvals',
    'Approvals whose amount differs, until an operator has decided: vezne payment unknown.',
    () => counts().differing,
  )
}

export const unsettledGaugesJob: BackgroundJob<Services> = {
  name: 'count unsettled charges and modifications',
  everyMs: 15_000,
  work: updateUnsettledGauges,
}
