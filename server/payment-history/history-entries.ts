import { terminalSafeText } from '../../kit/command-line/terminal-safe-text.ts'
import { decimalText } from '../../kit/money/money.ts'
import type { Modification, Verification } from '../payments/for-payment-history.ts'
import { evidenceTexts } from '../payments/for-payment-history.ts'
import type {
  HistoryAttempt,
  HistoryBankCall,
  HistoryEvent,
  HistoryPayment,
  HistoryRefund,
  HistoryTransfer,
} from './store.ts'

/** One step in the history of a payment. */
export interface HistoryEntry {
  at: Date
  what: string
}

/** All records of a payment. */
export interface PaymentHistoryRecords {
  payment: HistoryPayment
  attempts: HistoryAttempt[]
  modifications: Modification[]
  verifications: Verification[]
  refunds: HistoryRefund[]
  calls: HistoryBankCall[]
  events: HistoryEvent[]
  transfers: HistoryTransfer[]
}

/** All steps in the order of time; steps of the same moment are in their causal order. */
export function historyEntries(history: PaymentHistoryRecords): HistoryEntry[] {
  const { payment, attempts, modifications, verifications, refunds, calls, events, transfers } = history
  const course = (modification: Modification) => modificationCourse(modification, history)
  const all = [
    { at: payment.createdAt, what: `started with a ${payment.startedBy} key` },
    ...(payment.viewedAt ? [{ at: payment.viewedAt, what: 'payment page viewed' }] : []),
    ...attempts.map(beginning),
    ...calls.filter(({ modificationId }) => modificationId === null).map((call) => callEntry(call, attempts)),
    ...attempts.flatMap(ending),
    ...resolving(payment),
    ...modifications.filter(({ refundId }) => refundId === null).flatMap(course),
    ...refunds.flatMap((refund) => [
      ...requestAndReview(refund),
      ...modifications.filter(({ refundId }) => refundId === refund.id).flatMap(course),
      ...refundEnding(refund),
    ]),
    ...verifications.flatMap((verification) => verifying(verification, attempts)),
    ...transfers.map(transferEntry),
    ...events.map(({ createdAt, kind, number }) => ({ at: createdAt, what: `event ${number}: ${kind}` })),
  ]
  // The sort is stable, so steps of the same moment keep their order.
  return all.toSorted((a, b) => a.at.getTime() - b.at.getTime())
}

function beginning({ beganAt, number, card, pos, installment }: HistoryAttempt): HistoryEntry {
  const plan = installment === 1 ? 'single payment' : `in ${installment} installments`
  return { at: beganAt, what: `attempt ${number} began: ${card}, ${plan}, through ${terminalSafeText(pos)}` }
}

function ending({ number, state, endedAt, needsReviewAt, ...attempt }: HistoryAttempt): HistoryEntry[] {
  const answerText = codeAndMessage(attempt.code, attempt.message)
  return [
    ...(needsReviewAt ? [{ at: needsReviewAt, what: `attempt ${number}: needs manual review` }] : []),
    ...(endedAt
      ? [{ at: endedAt, what: `attempt ${number} ended: ${state}${answerText && `, ${answerText}`}` }]
      : []),
  ]
}

function resolving({ resolution, resolvedAt, resolvedBy }: HistoryPayment): HistoryEntry[] {
  if (!resolution || !resolvedAt) return []
  return [
    {
      at: resolvedAt,
      what: `pre-authorization resolved by ${terminalSafeText(resolvedBy ?? '')}: ${resolution}`,
    },
  ]
}

function requestAndReview(refund: HistoryRefund): HistoryEntry[] {
  const { id, amountMinor, currency, description, requestedBy, requestedAt, decidedAt, decidedBy, reason } =
    refund
  const requestText = `refund ${id} of ${decimalText(amountMinor, '.')} ${currency}`
  const verdict = refund.state === 'rejected' ? 'rejected' : 'approved'
  return [
    {
      at: requestedAt,
      what: `${requestText} requested by ${terminalSafeText(requestedBy)}: ${terminalSafeText(description)}`,
    },
    ...(decidedAt
      ? [
          {
            at: decidedAt,
            what: `refund ${id} ${verdict} by ${terminalSafeText(decidedBy ?? '')}: ${terminalSafeText(reason ?? '')}`,
          },
        ]
      : []),
  ]
}

function refundEnding({ id, state, endedAt, code, message }: HistoryRefund): HistoryEntry[] {
  if (!endedAt || state === 'rejected') return []
  const answerText = codeAndMessage(code, message)
  return [{ at: endedAt, what: `refund ${id} ended: ${state}${answerText && `, ${answerText}`}` }]
}

/** Steps of a modification from its start to its end. */
function modificationCourse(
  modification: Modification,
  { payment, calls, attempts }: PaymentHistoryRecords,
): HistoryEntry[] {
  const own = calls
    .filter(({ modificationId }) => modificationId === modification.id)
    .map((call) => callEntry(call, attempts))
  return [modificationBeginning(modification, payment.currency), ...own, ...modificationEnding(modification)]
}

function modificationBeginning(
  { id, kind, amountMinor, refundId, beganAt }: Modification,
  currency: string,
): HistoryEntry {
  const refundText = refundId === null ? '' : `, for refund ${refundId}`
  return {
    at: beganAt,
    what: `modification ${id} began: ${kind} of ${decimalText(amountMinor, '.')} ${currency}${refundText}`,
  }
}

function modificationEnding({
  id,
  state,
  operation,
  endedAt,
  needsReviewAt,
  code,
  message,
}: Modification): HistoryEntry[] {
  const answerText = codeAndMessage(code, message)
  const how = state === 'done' && operation ? `${state}, as a ${operation}` : state
  return [
    ...(needsReviewAt ? [{ at: needsReviewAt, what: `modification ${id}: needs manual review` }] : []),
    ...(endedAt
      ? [{ at: endedAt, what: `modification ${id} ended: ${how}${answerText && `, ${answerText}`}` }]
      : []),
  ]
}

/** End of a verification, or its entry into manual review. */
function verifying(verification: Verification, attempts: readonly HistoryAttempt[]): HistoryEntry[] {
  const { endedAt, needsReviewAt, source, bankAmountMinor, kind } = verification
  const subject = `${subjectOf(verification, attempts)}: the ${kind}`
  return [
    ...(endedAt && source
      ? [{ at: endedAt, what: `${subject} ${verificationText(verification, evidenceTexts[source])}` }]
      : []),
    ...(needsReviewAt && bankAmountMinor === null
      ? [{ at: needsReviewAt, what: `${subject} cannot be verified: needs manual review` }]
      : []),
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

function callEntry(call: HistoryBankCall, attempts: readonly HistoryAttempt[]): HistoryEntry {
  const subject = subjectOf(call, attempts)
  if (call.operation === 'manual') {
    const { reason } = reviewerAndReason(call)
    return { at: call.askedAt, what: `${subject}: ${manualDecisionText(call)}: ${terminalSafeText(reason)}` }
  }
  const question = `${subject}: bank request ${terminalSafeText(call.operation)}`
  if (!call.answeredAt || call.outcome === null)
    return { at: call.askedAt, what: `${question}, no answer recorded` }
  const seconds = (call.answeredAt.getTime() - call.askedAt.getTime()) / 1000
  const answerText = codeAndMessage(call.code, call.detail)
  return {
    at: call.askedAt,
    what: `${question}, ${terminalSafeText(call.outcome)} after ${seconds.toFixed(1)} s${answerText && `: ${answerText}`}`,
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

function transferEntry(transfer: HistoryTransfer): HistoryEntry {
  const { reason, debit, credit, amountMinor, currency, createdAt } = transfer
  return {
    at: createdAt,
    what: `posted: ${reason} ${decimalText(amountMinor, '.')} ${currency} (debit ${debit}, credit ${credit})`,
  }
}

/** A code and its message, if there are any. */
export function codeAndMessage(code: string | null, message: string | null): string {
  return [code, message]
    .filter((part) => part !== null && part !== '')
    .map((part) => terminalSafeText(part ?? ''))
    .join(' ')
}
