import type { OwnedId } from '../../database/owned-id.ts'
import { announceDueNow } from '../../instances/index.ts'
import type { Services } from '../../services.ts'
import type { BankWork } from '../bank-calls/bank-work.ts'
import type { BankWorkQueue } from '../bank-calls/lanes.ts'
import { perPosLaneJob } from '../bank-calls/lanes.ts'
import { verificationTable } from '../records/bank-work.sql.ts'
import {
  dueVerificationIds,
  dueVerificationTimes,
  endPosInquiryPause,
  makePaymentVerificationsDue,
  startPosInquiryPause,
  verificationWithPaymentOf,
} from '../records/verification.sql.ts'
import type { VerificationKind, VerificationWithPayment } from '../records/verification.ts'
import type { BankComparison } from './compare.ts'
import { compareWithBank } from './compare.ts'
import { decideVerification } from './decide.ts'
import { differenceEffects } from './difference.ts'

/** Longest pause of a POS's inquiries after failures. */
export const longestPauseAfterFailedInquiriesS = 300

/** Pause of a POS's inquiries after a failure; it doubles with each further failure. */
const pause = { firstMs: 10_000, longestMs: longestPauseAfterFailedInquiriesS * 1000 }

const inquire: BankWork<VerificationWithPayment>['ask'] = async (services, context, lease) => {
  const { sql, clock, config } = services
  const { attempt, verification } = context
  const { reference, currency } = attempt
  const askedAt = clock.now()
  const chargeStatus = await lease.call('verify', (bank) => bank.inquire({ reference, currency }))
  if (!chargeStatus) return undefined
  if (chargeStatus.status === 'unknown') await startPosInquiryPause(sql, verification, clock.now(), pause)
  else await endPosInquiryPause(sql, verification)
  // The bank's answer may or may not include modifications made since.
  const then = await verificationWithPaymentOf(sql, verification)
  return (now) => {
    const isChanged = !then || isOther(context, then) || isOther(context, now)
    const comparison = isChanged ? changed : compareWithBank(now, chargeStatus, askedAt)
    const decided = decideVerification(now.verification, comparison, 'inquiry', clock.now(), config)
    return { verification: decided }
  }
}

const changed: BankComparison = { result: 'open', why: 'the payment has changed while the bank was asked' }

/** True if the charge was modified between the two reads. */
function isOther(one: VerificationWithPayment, other: VerificationWithPayment): boolean {
  const versions = ({ payment, modifications }: VerificationWithPayment) =>
    [payment.version, ...modifications.map(({ id, version }) => `${id} ${version}`)].join()
  return versions(one) !== versions(other)
}

/**
 * The verification of an approval as work at a bank. Guarantee: all instances together send a POS at most the
 * configured number of inquiries per second, and none while its inquiries are paused.
 */
export const verificationWork: BankWork<VerificationWithPayment> = {
  table: verificationTable,
  read: verificationWithPaymentOf,
  leased: ({ clock, config }, { verification }, dueAt) => ({
    verification: { ...verification, dueAt },
    claim: { now: clock.now(), perSecond: config.verificationsPerSecond },
  }),
  ask: inquire,
  isStale: (_seen, { verification }) => verification.state !== 'unverified',
  effects: async (_services, _merchant, decided) =>
    decided.verification.state === 'differs' ? differenceEffects(decided) : {},
  warnOfReview: (log, state) => {
    const { id: verification, paymentId: payment, amountMinor, bankAmountMinor } = state.verification
    if (state.verification.state === 'differs')
      log.warn(
        { verification, payment, amountMinor, bankAmountMinor },
        'the bank’s amount differs from the requested one; needs manual review: vezne payment unknown',
      )
    else
      log.warn(
        { verification, payment },
        'verifying an approval failed; needs manual review: vezne payment unknown',
      )
  },
}

export const dueVerificationQueue: BankWorkQueue<VerificationWithPayment> = {
  work: verificationWork,
  due: ({ sql, clock, config }) => dueVerificationIds(sql, clock.now(), config.verificationsPerSecond),
  dueTimes: dueVerificationTimes,
}

/** Makes the verifications of a payment due now. Returns true if there is one of the kind. */
export async function schedulePaymentVerificationsNow(
  services: Pick<Services, 'sql' | 'clock' | 'processState'>,
  payment: OwnedId,
  kind: VerificationKind,
): Promise<boolean> {
  const { sql, clock } = services
  const count = await makePaymentVerificationsDue(sql, payment, kind, clock.now())
  announceDueNow(services)
  return count > 0
}

export const verificationJob = perPosLaneJob('process due verifications', dueVerificationQueue)
