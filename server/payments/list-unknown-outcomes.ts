import { command } from '../../kit/command-line/command.ts'
import { textTable } from '../../kit/command-line/text-table.ts'
import { booleanField, integerField, objectSchema, optional } from '../../kit/input/fields.ts'
import { decimalText } from '../../kit/money/money.ts'
import { isoTime } from '../../kit/text/zoned-time.ts'
import type { Services } from '../services.ts'
import type { UnsettledAttempt } from './records/attempt.sql.ts'
import { countUnsettledAttempts, unsettledAttempts } from './records/attempt.sql.ts'
import { bankCallsOfAttemptOrModification } from './records/bank-call.sql.ts'
import type { BankCall } from './records/bank-call.ts'
import type { UnsettledModification } from './records/modification.sql.ts'
import { countUnsettledModifications, unsettledModifications } from './records/modification.sql.ts'
import type { UnsettledVerification } from './records/verification.sql.ts'
import { countUnsettledVerifications, unsettledVerifications } from './records/verification.sql.ts'
import { evidenceTexts, surplusMinorOf } from './records/verification.ts'

export const listUnknownOutcomesCommand = command({
  input: objectSchema({
    all: optional(booleanField('Also lists outcomes that the service is still asking the bank about.')),
    limit: optional(integerField('Maximum number to show. Default: 50.', { min: 1, max: 1000 })),
  }),
  run: async (services: Services, { all = false, limit = 50 }, print) => {
    const { sql } = services
    const attempts = await unsettledAttempts(sql, { isAll: all, limit })
    const modifications = await unsettledModifications(sql, { isAll: all, limit: limit - attempts.length })
    const approvals = await unsettledVerifications(sql, {
      isAll: all,
      limit: limit - attempts.length - modifications.length,
    })
    const shown = attempts.length + modifications.length + approvals.length
    if (shown === 0)
      return print(
        all
          ? 'There are no unknown outcomes and no unverified amounts.'
          : 'Nothing needs manual review. To list outcomes that the service is still asking about: --all',
      )
    for (const attempt of attempts) {
      const { merchantId, id: attemptId } = attempt
      print(described(titleOfAttempt(attempt), linesOfAttempt(attempt)))
      print(`${evidence(await bankCallsOfAttemptOrModification(sql, { merchantId, attemptId }), attempt)}\n`)
    }
    for (const modification of modifications) {
      const { merchantId, id: modificationId } = modification
      print(described(titleOfModification(modification), linesOfModification(modification)))
      print(
        `${evidence(await bankCallsOfAttemptOrModification(sql, { merchantId, modificationId }), modification)}\n`,
      )
    }
    for (const approval of approvals) {
      const { merchantId, attemptId, modificationId } = approval
      const of = modificationId === null ? { attemptId } : { modificationId }
      print(described(titleOfApproval(approval), linesOfApproval(approval)))
      print(`${evidence(await bankCallsOfAttemptOrModification(sql, { merchantId, ...of }), approval)}\n`)
    }
    const counts = [countUnsettledAttempts, countUnsettledModifications, countUnsettledVerifications]
    const count = (await Promise.all(counts.map((each) => each(sql, all)))).reduce((sum, each) => sum + each)
    if (count > shown) print(`${count - shown} more. To list all: --limit ${count}`)
    const outcomes = [
      ...(attempts.some(needsReview) ? ['taken|not_taken'] : []),
      ...(modifications.some(needsReview) ? ['done|not_done'] : []),
    ]
    for (const outcome of outcomes)
      print(`Ask the bank about the reference. Then: vezne payment settle-outcome ID --outcome ${outcome} …`)
    if (approvals.some((each) => needsReview(each) && each.state === 'unverified'))
      print('Ask the bank for the amount. Then: vezne payment verify ID --amount AMOUNT …')
    for (const approval of approvals.filter((each) => needsReview(each) && each.state === 'differs'))
      print(
        `To settle the difference: vezne payment settle-difference ${approval.id} --choice ${choicesOf(approval).join('|')} …`,
      )
  },
})

function needsReview({ needsReviewAt }: { needsReviewAt: Date | null }): boolean {
  return needsReviewAt !== null
}

function described(title: string, lines: readonly [string, string][]): string {
  return [title, ...lines.map(([name, value]) => `  ${name.padEnd(11)}  ${value}`)].join('\n')
}

/** Lines for charges and modifications that a call to the bank's support needs. */
function commonLines(
  of: UnsettledAttempt | UnsettledModification | UnsettledVerification,
): Record<'merchant' | 'pos' | 'reference' | 'again' | 'payment' | 'review', [string, string]> {
  const at = timesOf(of)
  return {
    merchant: ['merchant', `${of.merchantId} ${of.merchantName}`],
    pos: ['POS', `${of.posId} ${of.posName} (${of.connector})`],
    reference: ['reference', of.reference],
    again: ['next try', at(of.dueAt)],
    payment: ['payment', of.paymentState],
    review: ['review', of.needsReviewAt ? `needed since ${at(of.needsReviewAt)}` : 'not needed yet'],
  }
}

function timesOf({ timeZone }: { timeZone: string }) {
  return (time: Date | null) => (time ? isoTime(time, timeZone) : 'never')
}

function inVain(tries: number): string {
  return tries === 0 ? '' : `, failed ${tries === 1 ? 'once' : `${tries} times`}`
}

function titleOfAttempt(attempt: UnsettledAttempt): string {
  const kind = attempt.preAuth ? 'pre-authorization' : 'sale'
  const amount = `${decimalText(attempt.chargedMinor, '.')} ${attempt.currency}`
  return `attempt ${attempt.id} of payment ${attempt.paymentId}: ${kind} of ${amount}, ${attempt.state}`
}

function linesOfAttempt(attempt: UnsettledAttempt): [string, string][] {
  const { installment, tries, state } = attempt
  const { merchant, pos, reference, again, payment, review } = commonLines(attempt)
  const plan = installment === 1 ? 'single payment' : `${installment} installments`
  const vain = tries === 0 ? '' : `${inVain(tries)} while ${state}`
  return [
    ...[merchant, pos, reference],
    ['card', `${attempt.instrument.mask}, ${plan}`],
    ['asked', `${timesOf(attempt)(attempt.askedAt)}${vain}`],
    ...[again, payment, review],
  ]
}

function titleOfModification(modification: UnsettledModification): string {
  const amount = `${decimalText(modification.amountMinor, '.')} ${modification.currency}`
  return `modification ${modification.id} of payment ${modification.paymentId}: ${modification.kind} of ${amount}, ${modification.state}`
}

function linesOfModification(modification: UnsettledModification): [string, string][] {
  const { refundId, priorRefundedMinor, operation, askedAt, tries } = modification
  const at = timesOf(modification)
  const { merchant, pos, reference, again, payment, review } = commonLines(modification)
  const before = `${decimalText(priorRefundedMinor, '.')} ${modification.currency} was refunded before it`
  return [
    ...[merchant, pos, reference],
    ['card', modification.instrumentMask ?? 'unknown'],
    ...(refundId === null ? [] : ([['refund', `${refundId}; ${before}`]] as [string, string][])),
    ['began', at(modification.beganAt)],
    ['asked', operation && askedAt ? `${at(askedAt)}, operation ${operation}${inVain(tries)}` : at(askedAt)],
    ...[again, payment, review],
  ]
}

function titleOfApproval({
  id,
  modificationId,
  paymentId,
  kind,
  state,
  ...approval
}: UnsettledVerification): string {
  const what = modificationId === null ? 'attempt' : 'modification'
  const amount = `${decimalText(approval.amountMinor, '.')} ${approval.currency}`
  return `${what} ${id} of payment ${paymentId}: ${kind} of ${amount}, approved and ${verificationLabels[state]}`
}

const verificationLabels = {
  unverified: 'not verified',
  verified: 'verified',
  differs: 'differing',
  settled: 'settled',
} as const

/** Allowed choices for settling a difference manually. */
function choicesOf({ kind, amountMinor, bankAmountMinor, paymentState }: UnsettledVerification): string[] {
  const surplusMinor = surplusMinorOf(kind, amountMinor, bankAmountMinor ?? amountMinor)
  const isPaid = paymentState === 'paid' || paymentState === 'partly_refunded'
  return [
    ...(kind !== 'hold' && surplusMinor > 0 ? ['return_surplus'] : []),
    ...(kind !== 'hold' && isPaid ? ['refund_all'] : []),
    'accept',
  ]
}

function bankAmountText({ kind, bankAmountMinor, currency }: UnsettledVerification): string {
  if (bankAmountMinor === null) return 'amount unknown'
  const amount = `${decimalText(bankAmountMinor, '.')} ${currency}`
  return kind === 'refund' ? `refunded ${amount}` : `has ${amount}`
}

function linesOfApproval(approval: UnsettledVerification): [string, string][] {
  const { source, tries, refundId, surplusRefundId } = approval
  const at = timesOf(approval)
  const { merchant, pos, reference, again, payment, review } = commonLines(approval)
  const doing = [
    ...(refundId === null ? [] : [`refund ${refundId} is open`]),
    ...(surplusRefundId === null ? [] : [`modification ${surplusRefundId} refunds the surplus`]),
  ]
  return [
    ...[merchant, pos, reference],
    ['card', approval.instrumentMask ?? 'unknown'],
    ['approved', at(approval.approvedAt)],
    [
      'bank',
      `${bankAmountText(approval)}${source ? `, by ${evidenceTexts[source]}, ${at(approval.endedAt)}` : inVain(tries)}`,
    ],
    ...(approval.state === 'unverified' ? [again] : []),
    ...(doing.length > 0 ? ([['in progress', doing.join(', ')]] as [string, string][]) : []),
    ...[payment, review],
  ]
}

function evidence(calls: readonly BankCall[], { timeZone }: { timeZone: string }): string {
  const rows = calls.map((call) => [
    `  ${isoTime(call.askedAt, timeZone)}`,
    call.operation,
    call.outcome ?? 'no answer yet',
    call.code ?? '',
    call.detail ?? '',
  ])
  return textTable(['  ASKED', 'WHAT', 'ANSWER', 'CODE', 'DETAIL'], rows)
}
