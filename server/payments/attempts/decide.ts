import { later } from '../../../kit/runtime/clock.ts'
import type { BankAnswer, BankApproval, BankDecline, ChargeStatus } from '../../connectors/index.ts'
import type { BankRetrySchedule, Decision } from '../bank-calls/bank-work.ts'
import { noCallDue, withNextCall } from '../bank-calls/bank-work.ts'
import type { Attempt, AttemptWithPayment } from '../records/attempt.ts'
import type { Payment } from '../records/payment.ts'
import { stateAfterFailedAttempt } from '../records/states.ts'
import { hasAllEchoedTerms } from '../records/verification.ts'

/**
 * Decision about an attempt after a bank's response. Pure, so that every case can be tested. Guarantee:
 * - A charge counts only after an approval of this charge, while its payment waits for it.
 * - Any other charge at the bank is reversed.
 * - An unknown outcome stays unknown until it is known.
 */
type AttemptDecision = Decision & { attempt: Attempt }

const hourS = 60 * 60
const dayS = 24 * hourS

/** Decides by the answer to an authorization. */
export function afterAuthorization(
  context: AttemptWithPayment,
  answer: BankAnswer,
  now: Date,
  schedule: BankRetrySchedule,
): AttemptDecision {
  switch (answer.outcome) {
    case 'approved': {
      const decision = approved(context, answer, now)
      return {
        ...decision,
        needsVerification: decision.payment !== undefined && !hasAllEchoedTerms(answer.echoed),
      }
    }
    case 'declined':
      // Each reference is sent once, so a duplicate is this same charge, in an unknown state.
      return answer.reason === 'duplicate_reference'
        ? stillUnknown(context, now, schedule)
        : declined(context, answer, now)
    case 'unknown':
      return stillUnknown(context, now, schedule)
  }
}

function stillUnknown(
  { attempt }: AttemptWithPayment,
  now: Date,
  schedule: BankRetrySchedule,
): AttemptDecision {
  if (attempt.state !== 'authorizing') return { attempt }
  return { attempt: { ...attempt, dueAt: nextInquiry(attempt, now, schedule) ?? now } }
}

/** Decides by the charge status, after an unknown outcome. */
export function afterInquiry(
  context: AttemptWithPayment,
  chargeStatus: ChargeStatus,
  now: Date,
  schedule: BankRetrySchedule,
): AttemptDecision {
  const { attempt } = context
  if (attempt.state !== 'authorizing') return afterLateInquiry(attempt, chargeStatus, now)
  switch (chargeStatus.status) {
    case 'taken':
    case 'held':
      return isExpectedStatus(attempt, chargeStatus.status)
        ? approved(context, { ...chargeStatus, outcome: 'approved' }, now)
        : inquireAgainOrReverse(context, now, schedule)
    case 'declined':
      return declined(context, { ...chargeStatus, outcome: 'declined' }, now)
    case 'undone':
      return undone(context, now, schedule)
    case 'absent':
    case 'unknown':
      return inquireAgainOrReverse(context, now, schedule)
  }
}

/** Keeps an approval or a running reversal. Any other state changes only if the bank has the charge. */
function afterLateInquiry(
  attempt: Attempt,
  { status: chargeStatus }: ChargeStatus,
  now: Date,
): AttemptDecision {
  const isSettled = attempt.state === 'approved' || attempt.state === 'reversing'
  const stands = chargeStatus === 'taken' || chargeStatus === 'held'
  return { attempt: stands && !isSettled ? toBeReversed(attempt, now) : attempt }
}

/**
 * Decides by the charge status after a reversal. An attempt that was settled meanwhile as taken needs manual
 * review: no stored state would be consistent.
 */
export function afterReversal(
  context: AttemptWithPayment,
  result: { isAcknowledged: boolean; chargeStatus: ChargeStatus['status'] | undefined },
  now: Date,
  schedule: BankRetrySchedule,
): AttemptDecision {
  const { attempt } = context
  const { isAcknowledged, chargeStatus } = result
  const isGone = chargeStatus === 'undone' || chargeStatus === 'absent' || chargeStatus === 'declined'
  const isUndone = isGone || (isAcknowledged && chargeStatus === undefined)
  if (attempt.state === 'approved' && isUndone)
    return { attempt: { ...attempt, needsReviewAt: attempt.needsReviewAt ?? now } }
  if (attempt.state !== 'reversing') return { attempt }
  return isUndone
    ? undone(context, now, schedule)
    : { attempt: withNextCall(attempt, schedule.reverseAgainAfterSeconds, now) }
}

/** Decides by the recheck of a reversed charge: a bank can execute a charge late. */
export function afterReversalRecheck(
  { attempt }: AttemptWithPayment,
  chargeStatus: ChargeStatus['status'],
  now: Date,
  schedule: BankRetrySchedule,
): AttemptDecision {
  if (attempt.state !== 'reversed') return { attempt }
  if (chargeStatus === 'taken' || chargeStatus === 'held') return { attempt: toBeReversed(attempt, now) }
  if (chargeStatus === 'unknown')
    return { attempt: withNextCall(attempt, schedule.reverseAgainAfterSeconds, now) }
  return {
    attempt: { ...attempt, ...noCallDue, dueAt: nextRecheck(attempt, now, schedule) },
  }
}

/**
 * Decides by a manual settlement. Undefined if the outcome is taken and the payment no longer waits for the
 * attempt.
 */
export function afterManualAttemptSettlement(
  context: AttemptWithPayment,
  outcome: 'taken' | 'not_taken',
  now: Date,
  schedule: BankRetrySchedule,
): AttemptDecision | undefined {
  const { attempt } = context
  if (outcome === 'taken') return isAwaitedByPayment(context) ? counted(context, attempt, now) : undefined
  if (attempt.state === 'reversing' || attempt.state === 'authorizing') return undone(context, now, schedule)
  return { attempt: { ...attempt, ...noCallDue } }
}

/** A hold instead of a sale is unexpected, and so is a sale instead of a hold. */
function isExpectedStatus({ preAuth }: Attempt, chargeStatus: 'taken' | 'held'): boolean {
  return chargeStatus === (preAuth ? 'held' : 'taken')
}

/** True if the payment waits for this attempt. */
export function isAwaitedByPayment({ payment, attempt }: AttemptWithPayment): boolean {
  return payment.attemptId === attempt.id && payment.state === attempt.state
}

function approved(context: AttemptWithPayment, answer: BankApproval, now: Date): AttemptDecision {
  const { payment, attempt } = context
  const { code, message, bankReferences } = answer
  const attemptWithAnswer = { ...attempt, code, message, bankReferences }
  if (attempt.state === 'approved') return { attempt }
  if (attempt.state === 'reversing') return { attempt: attemptWithAnswer }
  if (attempt.state !== 'authorizing' || !isAwaitedByPayment(context))
    return { attempt: toBeReversed(attemptWithAnswer, now) }
  return counted({ payment: { ...payment, code, message }, attempt }, attemptWithAnswer, now)
}

/** Makes the attempt the one that pays the payment. */
function counted({ payment }: AttemptWithPayment, attempt: Attempt, now: Date): AttemptDecision {
  return {
    attempt: { ...attempt, state: 'approved', endedAt: now, ...noCallDue },
    payment: {
      ...payment,
      state: attempt.preAuth ? 'held' : 'paid',
      endedAt: now,
      dueAt: null,
      installmentCount: attempt.installment,
    },
  }
}

function declined(context: AttemptWithPayment, answer: BankDecline, now: Date): AttemptDecision {
  const { payment, attempt } = context
  if (attempt.state !== 'authorizing') return { attempt }
  const { code, message, reason } = answer
  const ended: Attempt = {
    ...attempt,
    state: 'declined',
    endedAt: now,
    ...noCallDue,
    code,
    message,
    declineReason: reason,
  }
  if (!isAwaitedByPayment(context)) return { attempt: ended }
  // A bank that was not reached has given no answer to show.
  const shownAnswer = reason === 'bank_not_reached' ? { code: null, message: null } : { code, message }
  const { installment: installmentCount } = attempt
  return {
    attempt: ended,
    payment: { ...paymentAfterFailedAttempt(payment, now), installmentCount, ...shownAnswer },
  }
}

/**
 * Ends an attempt whose charge the bank does not have. It is rechecked later, because banks can execute a
 * charge late.
 */
function undone(context: AttemptWithPayment, now: Date, schedule: BankRetrySchedule): AttemptDecision {
  const { payment, attempt } = context
  const ended: Attempt = { ...attempt, state: 'reversed', endedAt: now, ...noCallDue }
  const attemptThen = { ...ended, dueAt: nextRecheck(ended, now, schedule) }
  return isAwaitedByPayment(context)
    ? { attempt: attemptThen, payment: paymentAfterFailedAttempt(payment, now) }
    : { attempt: attemptThen }
}

/** The payment after a failed attempt. */
export function paymentAfterFailedAttempt(payment: Payment, now: Date): Payment {
  const state = stateAfterFailedAttempt(payment, now)
  return state === 'open'
    ? { ...payment, state, dueAt: payment.expiresAt }
    : { ...payment, state, endedAt: now, dueAt: null }
}

/** Schedules the next inquiry; after the last one the charge is reversed, whatever its state. */
function inquireAgainOrReverse(
  context: AttemptWithPayment,
  now: Date,
  schedule: BankRetrySchedule,
): AttemptDecision {
  const { payment, attempt } = context
  const dueAt = nextInquiry(attempt, now, schedule)
  if (dueAt) return { attempt: { ...attempt, tries: attempt.tries + 1, dueAt } }
  const reversing = toBeReversed(attempt, now)
  return isAwaitedByPayment(context)
    ? { attempt: reversing, payment: { ...payment, state: 'reversing' } }
    : { attempt: reversing }
}

function toBeReversed(attempt: Attempt, now: Date): Attempt {
  return { ...attempt, state: 'reversing', endedAt: null, dueAt: now, tries: 0 }
}

/**
 * Inquiry times count from the authorization request, so an instance that was down makes up with one inquiry.
 */
function nextInquiry(
  { askedAt }: Attempt,
  now: Date,
  { inquireAfterSeconds }: BankRetrySchedule,
): Date | undefined {
  const ages = inquireAfterSeconds.map((seconds) => later(askedAt ?? now, seconds))
  return ages.find((at) => at.getTime() > now.getTime())
}

/**
 * A reversed charge is rechecked after the length of the inquiry schedule, at least an hour, and again a day
 * later.
 */
function recheckDelaysS({ inquireAfterSeconds }: BankRetrySchedule): [number, number] {
  const soonS = Math.max(hourS, inquireAfterSeconds.at(-1) ?? 0)
  return [soonS, soonS + dayS]
}

/** Longest delay until the last recheck of a reversed charge. */
export function longestReversalRecheckDelayS(schedule: BankRetrySchedule): number {
  return recheckDelaysS(schedule)[1]
}

function nextRecheck({ endedAt }: Attempt, now: Date, schedule: BankRetrySchedule): Date | null {
  const looks = recheckDelaysS(schedule).map((seconds) => later(endedAt ?? now, seconds))
  return looks.find((at) => at.getTime() > now.getTime()) ?? null
}
