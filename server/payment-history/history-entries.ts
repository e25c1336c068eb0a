import { terminalSafeText } from '../../kit/command-line/terminal-safe-text.ts'
import { decimalText } from '../../kit/money/money.ts'
import type { Modification, Verification } from '../payments/for-payment-history.ts'
import { evidenceTexts } from '../payments/for-payment-history.ts'
import type {
  HistoryAttempt,
  HistoryBankCall,
  HistoryRefund,
  HistoryTransfer,
  PaymentHistoryRecords,
} from './store.ts'

/** One step in the history of a payment. A step without a time did not happen. */
interface HistoryStep {
  at: Date | null
  what: string
}

/** All steps in the order of time; steps of the same moment are in their causal order. */
export function historyEntries(history: PaymentHistoryRecords): { at: Date; what: string }[] {
  const { payment, attempts, modifications, verifications, refunds, calls, events, transfers } = history
  const course = (modification: Modification) => modificationCourse(modification, history)
  const all: HistoryStep[] = [
    { at: payment.createdAt, what: `started with a ${payment.startedBy} key` },
    { at: payment.viewedAt, what: 'payment page viewed' },
    ...attempts.map(beginning),
    ...calls.filter(({ modificationId }) => modificationId === null).map((call) => callEntry(call, attempts)),
    ...attempts.flatMap((attempt) => [
      { at: attempt.needsReviewAt, what: `attempt ${attempt.number}: needs manual review` },
      {
        at: attempt.endedAt,
        what: `attempt ${attempt.number} ended: ${attempt.state}${answerText(attempt)}`,
      },
    ]),
    {
      at: payment.resolvedAt,
      what: `pre-authorization resolved by ${terminalSafeText(payment.resolvedBy ?? '')}: ${payment.resolution}`,
    },
    ...modifications.filter(({ refundId }) => refundId === null).flatMap(course),
    ...refunds.flatMap((refund) => [
      ...requestAndReview(refund),
      ...modifications.filter(({ refundId }) => refundId === refund.id).flatMap(course),
      {
        at: refund.state === 'rejected' ? null : refund.endedAt,
        what: `refund ${refund.id} ended: ${refund.state}${answerText(refund)}`,
      },
    ]),
    ...verifications.flatMap((verification) => verifying(verification, attempts)),
    ...transfers.map(transferEntry),
    ...events.map(({ createdAt, kind, number }) => ({ at: createdAt, what: `event ${number}: ${kind}` })),
  ]
  // The sort is stable, so steps of the same moment keep their order.
  return all
    .flatMap(({ at, what }) => (at ? [{ at, what }] : []))
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
}

function beginning({ beganAt, number, card, pos, installment }: HistoryAttempt): HistoryStep {
  const plan = installment === 1 ? 'single payment' : `in ${installment} installments`
  return { at: beganAt, what: `attempt ${number} began: ${card}, ${plan}, through ${terminalSafeText(pos)}` }
}

function requestAndReview(refund: HistoryRefund): HistoryStep[] {
  const { id, state, amountMinor, currency, description, requestedBy, decidedBy, reason } = refund
  const verdict = state === 'rejected' ? 'rejected' : 'approved'
  return [
    {
      at: refund.requestedAt,
      what: `refund ${id} of ${decimalText(amountMinor, '.')} ${currency} requested by ${terminalSafeText(requestedBy)}: ${terminalSafeText(description)}`,
    },
    {
      at: refund.decidedAt,
      what: `refund ${id} ${verdict} by ${terminalSafeText(decidedBy ?? '')}: ${terminalSafeText(reason ?? '')}`,
    },
  ]
}

/** Steps of a modification from its start to its end. */
function modificationCourse(
  modification: Modification,
  { payment, calls, attempts }: PaymentHistoryRecords,
): HistoryStep[] {
  const { id, kind, state, operation, amountMinor, refundId } = modification
  const refundText = refundId === null ? '' : `, for refund ${refundId}`
  const how = state === 'done' && operation ? `${state}, as a ${operation}` : state
  return [
    {
      at: modification.beganAt,
      what: `modification ${id} began: ${kind} of ${decimalText(amountMinor, '.')} ${payment.currency}${refundText}`,
    },
    ...calls.filter(({ modificationId }) => modificationId === id).map((call) => callEntry(call, attempts)),
    { at: modification.needsReviewAt, what: `modification ${id}: needs manual review` },
    { at: modification.endedAt, what: `modification ${id} ended: ${how}${answerText(modification)}` },
  ]
}

/** End of a verification, or its entry into manual review. */
function verifying(verification: Verification, attempts: readonly HistoryAttempt[]): HistoryStep[] {
  const { endedAt, needsReviewAt, source, bankAmountMinor, kind } = verification
  const subject = `${subjectOf(verification, attempts)}: the ${kind}`
  return [
    {
      at: source && endedAt,
      what: `${subject} ${verificationText(verification, source ? evidenceTexts[source] : '')}`,
    },
    {
      at: bankAmountMinor === null ? needsReviewAt : null,
      what: `${subject} cannot be verified: needs manual review`,
    },
  ]
}

function verificationText({ amountMinor, bankAmountMinor, currency }: Verification, by: string): string {
  const amount = (minor: number) => `${decimalText(minor, '.')} ${currency}`
  if (bankAmountMinor === null) return `is verified by ${by}`
  return `differs by ${by}: ${amount(amountMinor)} requested, ${amount(bankAmountMinor)} at the bank`
}

function subjectOf(
  { attemptId, modificationId }: Pick<HistoryBankCall, 'attemptId' | 'modificationId'>,
  attempts: readonly HistoryAttempt[],
): string {
  const number = attempts.find(({ id }) => id === attemptId)?.number
  return modificationId === null ? `attempt ${number}` : `modification ${modificationId}`
}

function callEntry(call: HistoryBankCall, attempts: readonly HistoryAttempt[]): HistoryStep {
  const subject = subjectOf(call, attempts)
  if (call.operation === 'manual') {
    const { reason } = reviewerAndReason(call)
    return { at: call.askedAt, what: `${subject}: ${manualDecisionText(call)}: ${terminalSafeText(reason)}` }
  }
  const question = `${subject}: bank request ${terminalSafeText(call.operation)}`
  if (!call.answeredAt || call.outcome === null)
    return { at: call.askedAt, what: `${question}, no answer recorded` }
  const seconds = (call.answeredAt.getTime() - call.askedAt.getTime()) / 1000
  const answer = codeAndMessage(call.code, call.detail)
  return {
    at: call.askedAt,
    what: `${question}, ${terminalSafeText(call.outcome)} after ${seconds.toFixed(1)} s${answer && `: ${answer}`}`,
  }
}

/** Texts of manual decisions about an approval without an amount, and about a difference. */
const amountDecisions: Readonly<Record<string, string>> = {
  verified: 'confirmed that the bank has the same amount',
  differs: 'recorded another amount at the bank',
  accept: 'accepted the difference',
  return_surplus: 'decided to refund the surplus',
  refund_all: 'decided to refund the whole payment',
}

/** Text of a manual decision that replaces a bank's answer, without its reason. */
export function manualDecisionText(call: HistoryBankCall): string {
  const ofAmount = amountDecisions[call.outcome ?? '']
  if (ofAmount) return `${terminalSafeText(reviewerAndReason(call).by)} ${ofAmount}`
  const what = call.modificationId === null ? 'taken' : 'done'
  const outcomeText = call.outcome === what ? what : `not ${what}`
  return `${terminalSafeText(reviewerAndReason(call).by)} settled it manually as ${outcomeText}`
}

/** Splits the evidence text `Ayşe Işık: On today’s statement.` into the reviewer and the reason. */
function reviewerAndReason({ detail }: HistoryBankCall): { by: string; reason: string } {
  const [by = '', ...reasons] = (detail ?? '').split(': ')
  return { by, reason: reasons.join(': ') }
}

function transferEntry({
  reason,
  debit,
  credit,
  amountMinor,
  currency,
  createdAt,
}: HistoryTransfer): HistoryStep {
  return {
    at: createdAt,
    what: `posted: ${reason} ${decimalText(amountMinor, '.')} ${currency} (debit ${debit}, credit ${credit})`,
  }
}

/** The bank's code and message at the end of a text, if there are any. */
function answerText({ code, message }: Pick<HistoryRefund, 'code' | 'message'>): string {
  const text = codeAndMessage(code, message)
  return text && `, ${text}`
}

/** A code and its message, if there are any. */
export function codeAndMessage(code: string | null, message: string | null): string {
  return [code, message]
    .filter((part) => part !== null && part !== '')
    .map((part) => terminalSafeText(part ?? ''))
    .join(' ')
}
