import { latestPlausibleDueAt } from '../../kit/runtime/latest-plausible-due.ts'
import type { Services } from '../services.ts'
import { longestReversalRecheckDelayS } from './attempts/decide.ts'
import { longestLeaseS } from './bank-calls/bank-work.ts'
import { resetAttemptDueTimesAfter } from './records/attempt.sql.ts'
import { longestBankDayWaitS } from './records/bank-day.ts'
import { modificationTable, resetDueTimesAfter, verificationTable } from './records/bank-work.sql.ts'
import { endOverlongPosInquiryPauses } from './records/verification.sql.ts'
import { longestPauseAfterFailedInquiriesS } from './verifications/verification-work.ts'

/**
 * Makes work due that an instance with a wrong clock scheduled beyond the longest wait of its kind. Deadlines
 * of pages and pre-authorizations have no such limit and do not change. Returns the number of repaired rows.
 */
export async function repairPaymentDueTimes(services: Services): Promise<number> {
  const { sql, clock, config } = services
  const now = clock.now()
  const leaseS = longestLeaseS(config)
  const inquiryS = config.inquireAfterSeconds.at(-1) ?? 0
  const reversalS = config.reverseAgainAfterSeconds.at(-1) ?? 0
  const latest = (...waitsS: number[]) => latestPlausibleDueAt(services, leaseS, ...waitsS)
  const counts = [
    await resetAttemptDueTimesAfter(sql, now, {
      authorizing: latest(inquiryS),
      reversing: latest(reversalS),
      other: latest(reversalS, longestReversalRecheckDelayS(config)),
    }),
    await resetDueTimesAfter(sql, modificationTable, now, latest(reversalS, longestBankDayWaitS)),
    await resetDueTimesAfter(sql, verificationTable, now, latest(inquiryS)),
    await endOverlongPosInquiryPauses(sql, now, latest(longestPauseAfterFailedInquiriesS)),
  ]
  return counts.reduce((sum, count) => sum + count, 0)
}
