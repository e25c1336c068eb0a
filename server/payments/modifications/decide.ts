import type { BankReferences, ChargeStatus, DeclineReason } from '../../connectors/index.ts'
import type { BankRetrySchedule } from '../records/bank-call.ts'
import { bankDayClosesAt } from '../records/bank-day.ts'
import type { BankOperation, Modification, ModificationKind } from '../records/modification.ts'

/** Knowledge after a bank was asked for a modification: it is done, it certainly is not, or nobody knows. */
export type ModificationResult =
  | {
      outcome: 'done'
      operation: BankOperation
      /** Whether the bank named all that was asked for, or named it when it was asked for the status of the charge. */
      isAmountConfirmed: boolean
      code: string
      message: string | null
      bankReferences: BankReferences | null
    }
  | { outcome: 'refused'; reason: DeclineReason; code: string; message: string | null }
  | { outcome: 'unknown' }

/**
 * The bank was not there, cannot do it yet, has given back another sum than we know of, or knows the question from before,
 * when it may have done something: that says nothing against the modification.
 */
const passing: readonly DeclineReason[] = [
  'bank_not_reached',
  'not_settled_yet',
  'already_settled',
  'sums_differ',
  'duplicate_reference',
]

/** Something went wrong at the bank, and may go right the next time. */
const mishaps: readonly DeclineReason[] = ['other']

const hourS = 60 * 60
const dayS = 24 * hourS

/** Time for which a bank may say that its day has not ended, before manual review is needed. */
const longestDayS = 3 * dayS

interface Times {
  now: Date
  /** The moment at which the charge was taken. */
  takenAt: Date
}

/**
 * Decides by a bank's response about a modification: pure, so that every case can be tested. Guarantee: it is done only by
 * the bank's word; refused only when the bank refuses it for certain, and a release never is, for what is held must be
 * let go; and whatever is not known is asked again, and before long needs manual review too.
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
  if (response.outcome === 'unknown') return again({ ...modification, declineReason: null }, now, schedule)
  const { reason, code, message } = response
  const declined = { ...modification, code, message, declineReason: reason }
  if (isForGood(modification, reason, schedule)) return ended(declined, 'refused', now)
  return reason === 'not_settled_yet' ? afterTheDay(declined, times) : again(declined, now, schedule)
}

/** The usual bank operation of a modification. */
export const usualBankOperationByKind = { capture: 'capture', release: 'void', refund: 'refund' } as const

/**
 * Decides by a manual settlement. The bank's last refusal says nothing about a modification that was done all the same; of
 * one that was not done it is the reason.
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

/** Waits as for a charge that is undone: after the last wait it needs manual review, and it goes on. */
function again(
  modification: Modification,
  now: Date,
  { reverseAgainAfterSeconds: waits }: BankRetrySchedule,
): Modification {
  const tries = modification.tries + 1
  const needsReviewAt = modification.needsReviewAt ?? (tries > waits.length ? now : null)
  return { ...modification, tries, dueAt: later(now, waits[tries - 1] ?? waits.at(-1) ?? 0), needsReviewAt }
}

/**
 * Before the bank's day has ended nothing can be done, and nothing is wrong either. A bank whose day is longer than we
 * expect is asked every hour from then on.
 */
function afterTheDay(modification: Modification, { now, takenAt }: Times): Modification {
  const closedAt = bankDayClosesAt(takenAt)
  const dueAt = closedAt > now ? closedAt : later(now, hourS)
  const isLong = now.getTime() - modification.beganAt.getTime() > longestDayS * 1000
  return { ...modification, dueAt, needsReviewAt: modification.needsReviewAt ?? (isLong ? now : null) }
}

/**
 * Whether a bank that would give a part back again may be asked again: only when so much time has passed since it was
 * asked that it would have done it by now.
 */
export function isSafeToRepeatPartialRefund(
  { askedAt }: Modification,
  now: Date,
  { inquireAfterSeconds }: BankRetrySchedule,
): boolean {
  return askedAt === null || later(askedAt, inquireAfterSeconds.at(-1) ?? 0) <= now
}

/** What is taken today may be undone as if it had never been; banks' days end at different times. */
const voidableS = 36 * hourS

/** Whether a void is worth a try, for what was taken at this time. */
export function isWithinVoidWindow(takenAt: Date, now: Date): boolean {
  return now.getTime() - takenAt.getTime() < voidableS * 1000
}

/** Whether the charge status confirms a modification of the whole charge. */
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

function later(from: Date, seconds: number): Date {
  return new Date(from.getTime() + seconds * 1000)
}
