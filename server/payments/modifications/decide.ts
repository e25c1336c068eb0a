import { later } from '../../../kit/runtime/clock.ts'
import type { BankReferences, ChargeStatus, DeclineReason } from '../../connectors/index.ts'
import type { BankRetrySchedule } from '../bank-calls/bank-work.ts'
import { withNextCall } from '../bank-calls/bank-work.ts'
import { bankDayClosesAt } from '../records/bank-day.ts'
import type { BankOperation, Modification, ModificationKind } from '../records/modification.ts'

/** Result of a request for a modification: done, certainly not done, or unknown. */
export type ModificationResult =
  | {
      outcome: 'done'
      operation: BankOperation
      /** True if the answer repeated all requested terms, or the charge status showed them. */
      isAmountConfirmed: boolean
      code: string
      message: string | null
      bankReferences: BankReferences | null
    }
  | { outcome: 'refused'; reason: DeclineReason; code: string; message: string | null }
  | { outcome: 'unknown' }

/**
 * Refusals that are not final: the bank was not reached, cannot do it yet, has another refunded sum than we
 * have, or has seen the request before and may have executed it.
 */
const passing: readonly DeclineReason[] = [
  'bank_not_reached',
  'not_settled_yet',
  'already_settled',
  'sums_differ',
  'duplicate_reference',
]

/** Refusals after a problem at the bank. A retry may succeed. */
const mishaps: readonly DeclineReason[] = ['other']

const hourS = 60 * 60
const dayS = 24 * hourS

/** Time for which a bank may report that its day is still open before manual review is needed. */
const longestDayS = 3 * dayS

interface Times {
  now: Date
  /** Time of the charge. */
  takenAt: Date
}

/**
 * Decides by a bank's response about a modification. Pure, so that every case can be tested. Guarantee:
 * - A modification is done only if the bank says so.
 * - A modification is refused only if the bank's refusal is final. A release is never refused, because the
 * hold must end.
 * - An unknown outcome is retried, and after some retries needs manual review too.
 */
export function afterModificationResult(
  modification: Modification,
  response: ModificationResult,
  times: Times,
  schedule: BankRetrySchedule,
): Modification {
  const { now } = times
  if (modification.state !== 'doing') return modification
  if (response.outcome === 'done') {
    const { operation, code, message, bankReferences } = response
    return {
      ...ended(modification, 'done', now),
      operation,
      code,
      message,
      bankReferences,
      declineReason: null,
    }
  }
  if (response.outcome === 'unknown')
    return withNextCall({ ...modification, declineReason: null }, schedule.reverseAgainAfterSeconds, now)
  const { reason, code, message } = response
  const declined = { ...modification, code, message, declineReason: reason }
  if (isForGood(modification, reason, schedule)) return ended(declined, 'refused', now)
  return reason === 'not_settled_yet'
    ? afterTheDay(declined, times)
    : withNextCall(declined, schedule.reverseAgainAfterSeconds, now)
}

/** The usual bank operation of a modification. */
export const usualBankOperationByKind = { capture: 'capture', release: 'void', refund: 'refund' } as const

/**
 * Decides by a manual settlement. If the modification was done, the bank's last refusal is cleared; if it was
 * not done, the refusal stays as the reason.
 */
export function afterManualModificationSettlement(
  modification: Modification,
  outcome: 'done' | 'not_done',
  now: Date,
): Modification {
  if (outcome === 'not_done') return ended(modification, 'refused', now)
  const noAnswer = { code: null, message: null, declineReason: null }
  return {
    ...ended(modification, 'done', now),
    operation: modification.operation ?? usualBankOperationByKind[modification.kind],
    ...noAnswer,
  }
}

function isForGood(
  { kind, tries }: Modification,
  reason: DeclineReason,
  schedule: BankRetrySchedule,
): boolean {
  if (kind === 'release' || passing.includes(reason)) return false
  return !mishaps.includes(reason) || tries >= schedule.reverseAgainAfterSeconds.length
}

function ended(modification: Modification, state: 'done' | 'refused', now: Date): Modification {
  return { ...modification, state, endedAt: now, dueAt: null, needsReviewAt: null }
}

/**
 * Waits for the end of the bank's day, which is not an error. If the day is longer than expected, the bank is
 * asked every hour.
 */
function afterTheDay(modification: Modification, { now, takenAt }: Times): Modification {
  const closedAt = bankDayClosesAt(takenAt)
  const dueAt = closedAt > now ? closedAt : later(now, hourS)
  const isLong = now.getTime() - modification.beganAt.getTime() > longestDayS * 1000
  return { ...modification, dueAt, needsReviewAt: modification.needsReviewAt ?? (isLong ? now : null) }
}

/**
 * True if a bank that would repeat a partial refund can be asked again: enough time has passed for the first
 * request to be executed.
 */
export function isSafeToRepeatPartialRefund(
  { askedAt }: Modification,
  now: Date,
  { inquireAfterSeconds }: BankRetrySchedule,
): boolean {
  return askedAt === null || later(askedAt, inquireAfterSeconds.at(-1) ?? 0) <= now
}

/**
 * A charge of the same bank day can be voided. Banks' days end at different times, so the window is longer
 * than a day.
 */
const voidableS = 36 * hourS

/** True if a void of a charge of this time is worth a try. */
export function isWithinVoidWindow(takenAt: Date, now: Date): boolean {
  return now.getTime() - takenAt.getTime() < voidableS * 1000
}

/** True if the charge status confirms a modification of the whole charge. */
export function isConfirmedByChargeStatus(
  kind: ModificationKind,
  chargeStatus: ChargeStatus['status'],
): boolean {
  switch (kind) {
    case 'capture':
      return chargeStatus === 'taken'
    case 'refund':
      return chargeStatus === 'undone'
    case 'release':
      return chargeStatus === 'undone' || chargeStatus === 'absent' || chargeStatus === 'declined'
  }
}
